// What searching the device costs among 10,000 tasks, in Chromium on a processor slowed down four times: from a key in the palette to
// the paint that shows its answer. Beside it a floor of the same run: the same key in an empty field of an empty page with the same
// number of rows to paint. Both depend on how busy the machine is, so that the work of the main thread is added up as well, at full
// speed, four times. The promise: a median of 50 ms over 50 keys. `node bench/screens/search.mjs [keys]`; the same as JSON in
// dist/bench/search.json.
import { randomUUIDv7 } from 'node:crypto'
import { note, print } from '../web/measurements.mjs'
import { newContext, signUp, slowPage, withBrowser, workOf } from '../web/slow-browser.mjs'

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
  const slow = { palette: await slowPage(context), plain: await slowPage(context) }
  await openBoth(slow)
  await typeInBoth(slow, async (page, key) => (await untilPainted(page, key)).time, {
    palette: (time) => note('from a key to its answer painted', 'ms', 50, time),
    plain: (time) => note('the floor: a key that paints rows', 'ms', undefined, time),
  })
  const quick = { palette: await context.newPage(), plain: await context.newPage() }
  await openBoth(quick)
  const works = new Map([
    [quick.palette, await workOf(quick.palette)],
    [quick.plain, await workOf(quick.plain)],
  ])
  await typeInBoth(quick, async (page, key) => (await untilPainted(page, key, works.get(page))).work, {
    palette: (work) => note('work for a key, of a slow processor', 'ms', undefined, work),
    plain: (work) => note('the floor: its work for such a key', 'ms', undefined, work),
  })
  await context.close()
})
print('search', keys)

/** @typedef {{ palette: Page, plain: Page }} Both */

/** @param {Both} both */
async function openBoth({ palette, plain }) {
  await plain.goto('about:blank')
  await plain.setContent('<input><ul></ul>')
  await plain.evaluate(paintRows)
  await plain.locator('input').focus()
  await palette.bringToFront()
  await palette.goto('/today')
  await palette.getByRole('heading', { level: 1 }).waitFor()
  await palette.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/palette-[\w-]{8}\.js$/.test(name)),
  )
  await palette.waitForTimeout(3_000)
  await palette.keyboard.press('Control+k')
  await palette.getByRole('combobox', { name: 'Search' }).waitFor()
  await palette.waitForTimeout(2_000)
}

/**
 * Each key in turns.
 * @param {Both} both
 * @param {(page: Page, key: string) => Promise<number>} measure
 * @param {Record<keyof Both, (measured: number) => void>} take
 */
async function typeInBoth({ palette, plain }, measure, take) {
  for (let typed = 0; typed < keys; ) {
    for (const search of searches) {
      await palette.getByRole('combobox', { name: 'Search' }).fill('')
      await plain.locator('input').fill('')
      for (const key of search) {
        if (typed++ >= keys) break
        await palette.bringToFront()
        take.palette(await measure(palette, key))
        await plain.bringToFront()
        take.plain(await measure(plain, key))
      }
    }
  }
}

/**
 * From the instant of the key, as the browser has it, to the end of the frame after it; and what the main thread does meanwhile.
 * @param {Page} page
 * @param {string} key
 * @param {() => Promise<number>} [worked]
 * @returns {Promise<{ time: number, work: number }>}
 */
async function untilPainted(page, key, worked = async () => 0) {
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
  const before = await worked()
  await page.keyboard.type(key)
  const time = await page.evaluate(() => /** @type {any} */ (window).painted)
  const work = (await worked()) - before
  await page.waitForTimeout(300)
  return { time, work }
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
    const response = await context.request.post('/api/import', { data: { todos } })
    if (!response.ok()) throw new Error((await response.text()).slice(0, 500))
  }
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}
