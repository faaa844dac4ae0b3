// What a key costs in the field for a new task, above 1,000 tasks, in Chromium on a processor slowed down four times. By the clock:
// what is done with it and its frame, without the wait between the two. As that depends on how busy the machine is, the work of the
// main thread as well, at full speed, four times. Beside each a floor of the same run: the same keys in a plain text area of the
// same page, which the browser alone handles. The promise: a median of 16 ms. `node bench/screens/typing.mjs [keys]`; the same as JSON in dist/bench/typing.json.
import { randomUUIDv7 } from 'node:crypto'
import { note, print } from '../web/measurements.mjs'
import { base, newContext, signUp, slowPage, withBrowser, workOf } from '../web/slow-browser.mjs'

const keys = Number(process.argv[2] ?? 150)
const many = 1_000
const atOnce = 200
/** Plain words, dates and repeats while they are not whole yet, and each sign. */
const titles = [
  'Buy milk tomorrow at 9am',
  'Rent every month on the 1st @home #money !high',
  'Ask Ada about the long report that nobody has read since spring',
  'Swim every mon, thu until 24 december #sport',
]

/** @typedef {import('@playwright/test').Page} Page */

await withBrowser(async (browser) => {
  const context = await newContext(browser, await somebodyWith(browser, many))
  const slow = await slowPage(context)
  await open(slow)
  await typeInTurns(slow, undefined, (ours, floor) => {
    note('a key in the field for a new task', 'ms', 16, ours)
    note('the floor: a key in a plain text area', 'ms', undefined, floor)
    note('the field beyond the floor', 'ms', undefined, ours - floor)
  })
  const quick = await context.newPage()
  await open(quick)
  await typeInTurns(quick, await workOf(quick), (ours, floor) => {
    note('work for a key, of a slow processor', 'ms', undefined, ours)
    note('the floor: work in a plain text area', 'ms', undefined, floor)
    note('its work beyond the floor', 'ms', undefined, ours - floor)
  })
  await context.close()
})
print('typing', keys)

/** @param {Page} page */
async function open(page) {
  await page.goto('/todos')
  await page.waitForFunction(() =>
    performance
      .getEntriesByType('resource')
      .some(({ name }) => /\/quick-add-suggestions-[\w-]{8}\.js$/.test(name)),
  )
  await page.waitForTimeout(5_000)
  await page.evaluate(() => {
    const plain = document.createElement('textarea')
    plain.id = 'plain'
    plain.style.cssText = 'position: fixed; right: 0; bottom: 0; z-index: 99'
    document.body.append(plain)
  })
}

/**
 * @param {Page} page
 * @param {(() => Promise<number>) | undefined} worked
 * @param {(ours: number, floor: number) => void} take what each key costs
 */
async function typeInTurns(page, worked, take) {
  for (let typed = 0; typed < keys; ) {
    for (const title of titles) {
      const ours = await typeIn(page, 'textarea[placeholder="Add a new task..."]', title, worked)
      const floor = await typeIn(page, '#plain', title, worked)
      for (const [place, cost] of ours.entries()) take(cost, floor[place] ?? 0)
      typed += title.length
    }
  }
}

/**
 * What each key of the text costs, in milliseconds: by the clock unless its work is asked for.
 * @param {Page} page
 * @param {string} field
 * @param {string} text
 * @param {() => Promise<number>} [worked]
 * @returns {Promise<number[]>}
 */
async function typeIn(page, field, text, worked) {
  await page.fill(field, '')
  await page.focus(field)
  await page.waitForTimeout(500)
  const costs = []
  for (const key of text) {
    await page.evaluate(watchKey)
    const before = await worked?.()
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    const cost = await page.evaluate(() => /** @type {any} */ (window).cost)
    costs.push(worked && before !== undefined ? (await worked()) - before : cost)
    await page.waitForTimeout(50)
  }
  await page.fill(field, '')
  return costs
}

/** Runs in the page: adds up the next key, from its event until all have had its input, and the frame after it. */
function watchKey() {
  const cost = new Promise((resolve) => {
    let handled = 0
    window.addEventListener(
      'keydown',
      () => {
        const pressed = performance.now()
        window.addEventListener('input', () => (handled = performance.now() - pressed), { once: true })
        requestAnimationFrame(() => {
          const begun = performance.now()
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(handled + performance.now() - begun)
          port2.postMessage(undefined)
        })
      },
      { capture: true, once: true },
    )
  })
  Object.assign(window, { cost })
}

/**
 * Somebody with so many open tasks, a list and some tags.
 * @param {import('@playwright/test').Browser} browser
 * @param {number} count
 */
async function somebodyWith(browser, count) {
  const context = await signUp(browser, 'typing')
  const now = Date.now()
  for (let first = 0; first < count; first += atOnce) {
    const todos = Array.from({ length: atOnce }, (_, nth) => {
      const at = new Date(now - (first + nth) * 60_000).toISOString()
      return {
        id: randomUUIDv7(),
        title: `Task ${first + nth}`,
        created_at: at,
        updated_at: at,
        completed: 0,
        completed_at: null,
        completed_on: null,
        ...(nth % 5 === 0 && { tags: ['money', `tag ${nth}`] }),
      }
    })
    const response = await context.request.post('/api/import', { data: { todos } })
    if (!response.ok()) throw new Error(await response.text())
  }
  const made = await context.request.post(`${base}/api/lists`, { data: { name: 'Home', color: 1 } })
  if (!made.ok()) throw new Error(await made.text())
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}
