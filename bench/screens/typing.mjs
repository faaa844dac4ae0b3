// What a key costs in the field for a new task, above 1,000 tasks, in Chromium on a processor slowed down four times. By the clock:
// what is done with it and its frame, without the wait between the two. As that depends on how busy the machine is, the work of the
// main thread as well, at full speed, four times, until all that a key leads to is done. Beside each a floor of the same run: the same
// keys in a plain text area of the same page, which the browser alone handles. The promises: a median of 16 ms, and of 1.15 times the
// floor. The parts of a key are told one by one: handled, its frame, and what comes only after that paint, so that nobody waits for it.
// `node bench/screens/typing.mjs [keys] [--beside <another checkout>]`: `--beside` measures the other checkout in turns with this one.
// The same as JSON in dist/bench/typing.json.
import { randomUUIDv7 } from 'node:crypto'
import { parseArgs } from 'node:util'
import { note, noteBeside, noteTimes, print } from '../web/measurements.mjs'
import { newContext, signUp, slowPage, withBrowser, workOf } from '../web/slow-browser.mjs'

const { values, positionals } = parseArgs({
  options: { beside: { type: 'string' } },
  allowPositionals: true,
})
const keys = Number(positionals[0] ?? 150)
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
/** @typedef {import('../web/measurements.mjs').Note} Note */
/** @typedef {{ page: Page, note: Note, worked: () => Promise<number> }} Side `worked`: as of `workOf` */
/** @typedef {{ handled: number, frame: number, work: number }} Cost */

await withBrowser(
  async (browser, addresses) => {
    const contexts = []
    for (const [place, address] of addresses.entries()) {
      const cookies = await somebodyWith(browser, address, many)
      contexts.push({
        context: await newContext(browser, cookies, { baseURL: address }),
        note: place === 0 ? note : noteBeside,
      })
    }
    const slow = await sidesOf(contexts, slowPage, true)
    await typeInTurns(slow, (note, ours, floor) => {
      const [key, bare] = [ours.handled + ours.frame, floor.handled + floor.frame]
      note('a key in the field for a new task', 'ms', 16, key)
      note('the floor: a key in a plain text area', 'ms', undefined, bare)
      note('the field beyond the floor', 'ms', undefined, key - bare)
      note('  of it handled', 'ms', undefined, ours.handled)
      note('  of it its frame', 'ms', undefined, ours.frame)
      note('  after its paint', 'ms', undefined, ours.work - key)
      note('  the floor: handled', 'ms', undefined, floor.handled)
      note('  the floor: its frame', 'ms', undefined, floor.frame)
      note('  the floor: after its paint', 'ms', undefined, floor.work - bare)
    })
    noteTimes(
      'times the floor',
      1.15,
      'a key in the field for a new task',
      'the floor: a key in a plain text area',
    )
    for (const { page } of slow) await page.close()
    const quick = await sidesOf(contexts, (context) => context.newPage(), false)
    await typeInTurns(quick, (note, ours, floor) => {
      note('work for a key, of a slow processor', 'ms', undefined, ours.work)
      note('the floor: work in a plain text area', 'ms', undefined, floor.work)
      note('its work beyond the floor', 'ms', undefined, ours.work - floor.work)
    })
    noteTimes(
      'work, times the floor',
      undefined,
      'work for a key, of a slow processor',
      'the floor: work in a plain text area',
    )
    for (const { context } of contexts) await context.close()
  },
  { beside: values.beside },
)
print('typing', keys)

/**
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @param {readonly { context: Context, note: Note }[]} contexts
 * @param {(context: Context) => Promise<Page>} newPage
 * @param {boolean} byClock
 */
async function sidesOf(contexts, newPage, byClock) {
  /** @type {Side[]} */
  const sides = []
  for (const { context, note } of contexts) {
    const page = await newPage(context)
    await open(page)
    sides.push({ page, note, worked: await workOf(page, byClock) })
  }
  return sides
}

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
 * @param {readonly Side[]} sides
 * @param {(note: Note, ours: Cost, floor: Cost) => void} take what each key costs
 */
async function typeInTurns(sides, take) {
  for (let typed = 0; typed < keys; ) {
    for (const title of titles) {
      for (const side of sides) {
        const ours = await typeIn(side, 'textarea[placeholder="Add a new task..."]', title)
        const floor = await typeIn(side, '#plain', title)
        for (const [place, cost] of ours.entries()) {
          const bare = floor[place]
          if (bare) take(side.note, cost, bare)
        }
      }
      typed += title.length
    }
  }
}

/**
 * What each key of the text costs, in milliseconds.
 * @param {Side} side
 * @param {string} field
 * @param {string} text
 * @returns {Promise<Cost[]>}
 */
async function typeIn({ page, worked }, field, text) {
  await page.fill(field, '')
  await page.focus(field)
  await page.waitForTimeout(500)
  const costs = []
  for (const key of text) {
    await page.evaluate(watchKey)
    const before = await worked()
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    const cost = await page.evaluate(() => /** @type {any} */ (window).cost)
    // Whatever comes after the paint is done by then.
    await page.waitForTimeout(80)
    costs.push({ ...cost, work: (await worked()) - before })
  }
  await page.fill(field, '')
  return costs
}

/** Runs in the page: times the next key, from its event until all have had its input, and the frame after it. */
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
          port1.onmessage = () => resolve({ handled, frame: performance.now() - begun })
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
 * @param {string} address
 * @param {number} count
 */
async function somebodyWith(browser, address, count) {
  const context = await signUp(browser, 'typing', address)
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
  const made = await context.request.post('/api/lists', { data: { name: 'Home', color: 1 } })
  if (!made.ok()) throw new Error(await made.text())
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}
