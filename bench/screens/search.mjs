// What searching the device costs among 10,000 tasks, in Chromium on a processor slowed down four times: from a key in the palette, and
// in the search of the to-do screen, to the paint that shows its answer. Beside each a floor of the same run: the same key in an empty
// field of an empty page with the same number of rows to paint. All depends on how busy the machine is, so that the work of the main
// thread is added up as well, at full speed, four times, and split into its parts. The promise: a median of 50 ms over 50 keys.
// `node bench/screens/search.mjs [keys] [--only palette|screen] [--beside <another checkout>]`: `--beside` measures the other checkout
// in turns with this one; the same as JSON in dist/bench/search.json.
import { randomUUIDv7 } from 'node:crypto'
import { parseArgs } from 'node:util'
import { medianOf, note, noteBeside, print } from '../web/measurements.mjs'
import { newContext, signUp, slowPage, withBrowser } from '../web/slow-browser.mjs'

const { values: options, positionals } = parseArgs({
  options: { beside: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
})
const keys = Number(positionals[0] ?? 50)
const slower = 4
const many = 10_000
const atOnce = 100
/** What is typed, a key at a time: words that many, some, few and none of the tasks have. */
const searches = ['water', 'call the', 'zzz', 'buy fig 77', 'plan']
/** The methods of `RowSearch` (src/platform/search/row-search.ts), whose names a build keeps. */
const searching = /^(best|matches|places)$/
/** What is no script. */
const noScript = /^\((program|idle|root)\)$/
const verbs = ['Water', 'Call', 'Buy', 'Plan', 'Clean', 'Read', 'Write', 'Ask Ömer about']
const things = ['the plants', 'the dentist', 'fig trees', 'a répétition', 'windows', 'the report', 'stamps']

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @typedef {{ name: string, page: Page, field: import('@playwright/test').Locator, note: typeof note }} Side
 */

/** What is searched: its name, how it is opened, and how many rows its floor paints. @type {[string, (page: Page) => Promise<void>, RegExp, number][]} */
const searchable = [
  ['palette', openPalette, /^Search$/, 12],
  ['screen', openScreenSearch, /^Search these tasks$/, 18],
]
const searched = searchable.filter(([name]) => options.only === undefined || options.only === name)
if (searched.length === 0) throw new Error(`There is no search named ${options.only}`)

await withBrowser(
  async (browser, addresses) => {
    /** @type {Context[]} */
    const contexts = []
    for (const address of addresses) {
      const cookies = await somebodyWith(browser, address, many)
      contexts.push(await newContext(browser, cookies, { baseURL: address }))
    }
    for (const [name, open, label, rows] of searched) {
      /** @param {(context: Context) => Promise<Page>} newPage */
      const openAll = async (newPage) => {
        /** @type {Side[]} */
        const sides = []
        for (const [place, context] of contexts.entries()) {
          const page = await newPage(context)
          await page.bringToFront()
          await open(page)
          const field = page.getByRole(name === 'palette' ? 'combobox' : 'textbox', { name: label })
          await field.waitFor()
          await page.waitForTimeout(2_000)
          sides.push({ name: '', page, field, note: place === 0 ? note : noteBeside })
        }
        const [first] = contexts
        if (!first) throw new Error('nobody')
        const page = await newPage(first)
        await page.setContent('<input><ul></ul>')
        await page.evaluate(paintRows, rows)
        sides.push({ name: 'floor', page, field: page.locator('input'), note })
        return sides
      }
      const slow = await openAll(slowPage)
      await typeInAll(slow, async ({ name: of, page, note }, key) => {
        const time = await untilPainted(page, key)
        if (of === 'floor') note(`${name}: the floor: a key that paints rows`, 'ms', undefined, time)
        else note(`${name}: from a key to its answer painted`, 'ms', 50, time)
      })
      for (const { page } of slow) await page.close()
      const quick = await openAll((context) => context.newPage())
      const meters = new Map()
      for (const { page } of quick) meters.set(page, await partsOf(page))
      await typeInAll(quick, async ({ name: of, page, note }, key) => {
        const parts = await meters.get(page)
        const before = await parts()
        await untilPainted(page, key)
        const after = await parts()
        const spent = (/** @type {keyof typeof after} */ part) => (after[part] - before[part]) * slower
        if (of === 'floor')
          return note(`${name}: the floor: its work for such a key`, 'ms', undefined, spent('all'))
        note(`${name}: work for a key, of a slow processor`, 'ms', undefined, spent('all'))
        note(`${name}:   of it scripts`, 'ms', undefined, spent('script'))
        note(`${name}:   of it style and layout`, 'ms', undefined, spent('layout'))
        note(
          `${name}:   of it paint and the rest`,
          'ms',
          undefined,
          spent('all') - spent('script') - spent('layout'),
        )
      })
      for (const side of quick) if (side.name !== 'floor') await noteScripts(name, side)
      for (const { page } of quick) await page.close()
    }
    for (const context of contexts) await context.close()
  },
  { beside: options.beside },
)
for (const [name] of searched) noteTimesTheFloor(name)
print('search', keys)

/** @param {Page} page */
async function openPalette(page) {
  await page.goto('/today')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await untilFetched(page, 'palette')
  await page.waitForTimeout(3_000)
  await page.keyboard.press('Control+k')
}

/** @param {Page} page */
async function openScreenSearch(page) {
  await page.goto('/todos')
  await page.locator('main [data-row]').first().waitFor()
  await untilFetched(page, 'row-window')
  await page.waitForTimeout(3_000)
  await page.keyboard.press('/')
}

/**
 * @param {Page} page
 * @param {string} part
 */
async function untilFetched(page, part) {
  await page.waitForFunction(
    (name) =>
      performance
        .getEntriesByType('resource')
        .some((entry) => new RegExp(`/${name}-[\\w-]{8}\\.js$`).test(entry.name)),
    part,
  )
}

/**
 * Each key in turns.
 * @param {Side[]} sides
 * @param {(side: Side, key: string) => Promise<void>} measure
 */
async function typeInAll(sides, measure) {
  for (let typed = 0; typed < keys; ) {
    for (const search of searches) {
      for (const { page, field } of sides) {
        await page.bringToFront()
        await field.fill('')
        await page.waitForTimeout(300)
      }
      for (const key of search) {
        if (typed++ >= keys) break
        for (const side of sides) {
          await side.page.bringToFront()
          await measure(side, key)
          // What follows the paint is over before the next key, as with a person.
          await side.page.waitForTimeout(300)
        }
      }
    }
  }
}

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
  return page.evaluate(() => /** @type {any} */ (window).painted)
}

/**
 * What the main thread of a page has done by now, in milliseconds, however busy this processor is.
 * @param {Page} page
 */
async function partsOf(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (/** @type {string} */ metric) =>
      (metrics.find(({ name }) => name === metric)?.value ?? Number.NaN) * 1000
    return {
      all: of('TaskDuration'),
      script: of('ScriptDuration'),
      layout: of('LayoutDuration') + of('RecalcStyleDuration'),
    }
  }
}

/**
 * How much of the scripts of a key is searching, and how much is React and the screen's own: what a profile of them says, which is
 * in the way of what it measures and is taken by itself.
 * @param {string} name
 * @param {Side} side
 */
async function noteScripts(name, { page, field, note }) {
  await page.bringToFront()
  const session = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 100 })
  for (const search of searches) {
    await field.fill('')
    for (const key of search) {
      await page.waitForTimeout(300)
      await session.send('Profiler.start')
      await untilPainted(page, key)
      const { profile } = await session.send('Profiler.stop')
      const { searching, rest } = scriptsIn(profile)
      note(`${name}:   searching, by a profile`, 'ms', undefined, searching * slower)
      note(`${name}:   React and the rest, by a profile`, 'ms', undefined, rest * slower)
    }
  }
}

/**
 * @param {{ nodes: { id: number, callFrame: { functionName: string }, children?: number[] }[], samples?: number[], timeDeltas?: number[] }} profile
 */
function scriptsIn({ nodes, samples = [], timeDeltas = [] }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const isSearch = new Set()
  for (const node of nodes) {
    // A parent comes before its children.
    if (searching.test(node.callFrame.functionName)) isSearch.add(node.id)
    if (isSearch.has(node.id)) for (const child of node.children ?? []) isSearch.add(child)
  }
  let found = 0
  let rest = 0
  for (const [place, id] of samples.entries()) {
    const time = (timeDeltas[place + 1] ?? 0) / 1000
    if (isSearch.has(id)) found += time
    // Longer than any script runs unseen: the profile was being begun.
    else if (!noScript.test(byId.get(id)?.callFrame.functionName ?? '') && time < 5) rest += time
  }
  return { searching: found, rest }
}

/** @param {string} name */
function noteTimesTheFloor(name) {
  const time = medianOf(`${name}: from a key to its answer painted`)
  note(`${name}: times the floor`, '', 1.15, time / medianOf(`${name}: the floor: a key that paints rows`))
  const work = medianOf(`${name}: work for a key, of a slow processor`)
  note(
    `${name}: its work, times the floor`,
    '',
    undefined,
    work / medianOf(`${name}: the floor: its work for such a key`),
  )
}

/**
 * Runs in the empty page: each key paints as many rows as the search does.
 * @param {number} count
 */
function paintRows(count) {
  const list = document.querySelector('ul')
  document.querySelector('input')?.addEventListener('input', ({ target }) => {
    const typed = target instanceof HTMLInputElement ? target.value : ''
    const rows = Array.from({ length: count }, (_, place) => {
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
 * @param {string} address
 * @param {number} count
 */
async function somebodyWith(browser, address, count) {
  const context = await signUp(browser, 'search', address)
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
