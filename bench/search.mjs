// What searching the device costs among 10,000 tasks, in Chromium on a processor slowed down four times: from a key in the palette to
// the paint that shows its answer. Beside it a floor of the same run: the same key in an empty field of an empty page with the same
// number of rows to paint. The promise: a median of 50 ms over 50 keys. `node bench/search.mjs [keys]`; the same as JSON in
// dist/bench/search.json.
import { randomUUIDv7 } from 'node:crypto'
import { note, print } from './web/measurements.mjs'
import { newContext, signUp, slowPage, withBrowser } from './web/slow-browser.mjs'

const keys = Number(process.argv[2] ?? 50)
const many = 10_000
const atOnce = 100
/** What is typed, a key at a time: words that many, some, few and none of the tasks have. */
const searches = ['water', 'call the', 'zzz', 'buy fig 77', 'plan']
const verbs = ['Water', 'Call', 'Buy', 'Plan', 'Clean', 'Read', 'Write', 'Ask Ömer about']
const things = ['the plants', 'the dentist', 'fig trees', 'a répétition', 'windows', 'the report', 'stamps']

/** @typedef {import('@playwright/test').Page} Page */

await withBrowser(async (browser) => {
  const cookies = await somebodyWith(browser, many)
  const context = await newContext(browser, cookies)
  const page = await slowPage(context)
  await page.goto('/today')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/palette-[\w-]{8}\.js$/.test(name)),
  )
  await page.waitForTimeout(3_000)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search' })
  await field.waitFor()
  await page.waitForTimeout(2_000)

  const floorPage = await slowPage(context)
  await floorPage.goto('about:blank')
  await floorPage.setContent('<input><ul></ul>')
  await floorPage.evaluate(paintRows)
  await floorPage.locator('input').focus()

  for (let typed = 0; typed < keys; ) {
    for (const search of searches) {
      await field.fill('')
      await floorPage.locator('input').fill('')
      for (const key of search) {
        if (typed++ >= keys) break
        await page.bringToFront()
        const answer = await untilPainted(page, key)
        await floorPage.bringToFront()
        const floor = await untilPainted(floorPage, key)
        note('from a key to its answer painted', 'ms', 50, answer)
        note('the floor: a key that paints rows', 'ms', undefined, floor)
        note('how many times the floor', '', undefined, answer / floor)
      }
    }
  }
  await context.close()
})
print('search', keys)

/**
 * From the instant of the key, as the browser has it, to the end of the frame after it.
 * @param {Page} page
 * @param {string} key
 * @returns {Promise<number>}
 */
async function untilPainted(page, key) {
  await page.evaluate(() => {
    Object.assign(window, {
      painted: new Promise((resolve) => {
        window.addEventListener(
          'keydown',
          ({ timeStamp }) => {
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel()
              port1.onmessage = () => resolve(performance.now() - timeStamp)
              port2.postMessage(undefined)
            })
          },
          { capture: true, once: true },
        )
      }),
    })
  })
  await page.keyboard.type(key)
  const time = await page.evaluate(() => /** @type {any} */ (window).painted)
  await page.waitForTimeout(300)
  return time
}

/** Runs in the empty page: each key paints as many rows as the palette does. */
function paintRows() {
  const list = document.querySelector('ul')
  document.querySelector('input')?.addEventListener('input', ({ target }) => {
    const typed = target instanceof HTMLInputElement ? target.value : ''
    const rows = Array.from({ length: 12 }, (_, place) => {
      const row = document.createElement('li')
      row.textContent = `${typed} ${place}`
      return row
    })
    list?.replaceChildren(...rows)
  })
}

/**
 * Somebody with so many open tasks, some with notes and tags.
 * @param {import('@playwright/test').Browser} browser
 * @param {number} count
 */
async function somebodyWith(browser, count) {
  const context = await signUp(browser, 'search')
  for (let first = 0; first < count; first += atOnce) {
    const todos = Array.from({ length: Math.min(atOnce, count - first) }, (_, nth) => {
      const place = first + nth
      const at = new Date(Date.now() - place * 60_000).toISOString()
      return {
        id: randomUUIDv7(),
        title: `${verbs[place % verbs.length]} ${things[place % things.length]} ${place}`,
        completed: 0,
        completed_at: null,
        completed_on: null,
        created_at: at,
        updated_at: at,
        ...(place % 3 === 0 && { note: `Before the meeting about ${things[(place + 1) % things.length]}` }),
        ...(place % 5 === 0 && { tags: ['garden'] }),
      }
    })
    const answer = await context.request.post('/api/import', { data: { todos } })
    if (!answer.ok()) throw new Error((await answer.text()).slice(0, 500))
  }
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}
