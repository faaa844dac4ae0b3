// How long after a press the to-do screen shows what it did: 200 interactions of a fixed mix and order among 20 tasks, and the same
// among 1,000 and 5,000, in Chromium on a processor slowed down four times. By the browser's own measure, Interaction to Next
// Paint: the longest of an interaction's events, in steps of 8 ms, and 16 ms for what it does not report because it took less.
// `node bench/screens/interactions.mjs [--beside <another checkout>]`: `--beside` measures the other checkout in turns with this one; about
// six minutes, or twice that. `--counts 20,200`: among so many tasks instead. The same as JSON in dist/bench/interactions.json.
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { share } from '../share.mjs'
import { personWithTasks } from '../web/people.mjs'
import { conditions, newContext, openUsable, slowDownProcessor, withBrowser } from '../web/slow-browser.mjs'

const { beside, counts: asked = '20,1000,5000' } = parseArgs({
  options: { beside: { type: 'string' }, counts: { type: 'string' } },
}).values
const interactions = 200
const counts = asked.split(',').map(Number)
/** Milliseconds: the least that the browser reports. */
const least = 16
const kinds = /** @type {const} */ (['tick', 'undo', 'menu', 'details', 'close', 'type', 'sort', 'keys'])
/** What the promise is about: a median under 33 ms and three of four under 100. */
const promised = ['tick', 'details', 'type']

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('@playwright/test').Locator} Locator
 * @typedef {(typeof kinds)[number]} Kind
 * @typedef {{ kind: Kind, act: () => Promise<void>, shown?: () => Promise<void> }} Step `shown`: until the page shows that it was done
 * @typedef {{ of: string, count: number, kind: Kind, duration: number }} Taken
 */

/** @type {Taken[]} */
const taken = []
await withBrowser(
  async (browser, addresses) => {
    for (const count of counts) {
      const sides = []
      for (const [place, address] of addresses.entries()) {
        sides.push({ of: place === 0 ? 'this' : 'other', page: await openTodos(browser, address, count) })
      }
      for (let round = 0, done = 0; done < interactions; round++) {
        // In turns, so that what else the machine does hits both.
        const inTurn = round % 2 === 0 ? sides : sides.toReversed()
        for (const { of, page } of inTurn) {
          for (const { kind, duration } of await measureRound(page, round)) {
            taken.push({ of, count, kind, duration })
          }
        }
        done = taken.filter((one) => one.of === 'this' && one.count === count).length
      }
      for (const { page } of sides) await page.context().close()
    }
  },
  { beside },
)
print()

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {number} count of tasks
 */
async function openTodos(browser, address, count) {
  const cookies = await personWithTasks(browser, address, count)
  const context = await newContext(browser, cookies, { baseURL: address, serviceWorkers: 'block' })
  // Without a list to move them to, tasks have no menu.
  const list = { data: { name: 'Home', color: 1 }, headers: { origin: address } }
  const response = await context.request.post('/api/lists', list)
  if (!response.ok()) throw new Error(await response.text())
  const page = await context.newPage()
  await openUsable(page, '/todos')
  // What comes later is there as well.
  await page.waitForTimeout(5_000)
  await page.evaluate(watchInteractions)
  await slowDownProcessor(page)
  return page
}

/** Runs in the page. */
function watchInteractions() {
  let longest = 0
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  const take = (/** @type {PerformanceEntryList} */ entries) => {
    for (const entry of entries) {
      if (entry instanceof PerformanceEventTiming && entry.interactionId > 0) {
        longest = Math.max(longest, entry.duration)
      }
    }
  }
  const events = { type: 'event', durationThreshold: 16 }
  observer.observe(events)
  Object.assign(window, {
    /** The longest event since it was last asked for, or 0. */
    async takeLongest() {
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
      await new Promise((reported) => setTimeout(reported, 50))
      take(observer.takeRecords())
      const taken = longest
      longest = 0
      return taken
    },
  })
}

/**
 * 20 interactions, after which all is as it was, but for the order.
 * @param {Page} page
 * @param {number} round
 */
async function measureRound(page, round) {
  const results = []
  for (const { kind, act, shown } of stepsOf(page, round)) {
    await act()
    await page.waitForTimeout(200)
    /** @type {number} */
    const longest = await page.evaluate('takeLongest()')
    await shown?.()
    results.push({ kind, duration: Math.max(least, longest) })
  }
  return results
}

/**
 * @param {Page} page
 * @param {number} round
 * @returns {Step[]}
 */
function stepsOf(page, round) {
  // The first five: a toast covers the end of a row further down.
  const box = page.getByRole('checkbox', { name: `Task ${round % 5}`, exact: true })
  const row = page.locator('main [data-row]').filter({ has: box })
  const open = row.locator('input:not(:checked)')
  const done = page.getByRole('region', { name: /^Completed/ }).filter({ has: box })
  const field = page.getByPlaceholder('Add a new task...')
  const sort = page.getByRole('button', { name: /^Sort by/ })
  const chosen = round % 2 === 0 ? 'Newest' : 'Due date'
  const click = (/** @type {Locator} */ what) => () => clickOn(page, what)
  const key = (/** @type {string} */ name) => () => page.keyboard.press(name)
  return [
    // A ticked task leaves its place after a while: it is undone only then, however slow this machine is.
    { kind: 'tick', act: click(row.getByRole('checkbox')), shown: () => done.waitFor() },
    { kind: 'undo', act: key('Control+z'), shown: () => open.waitFor() },
    {
      kind: 'menu',
      act: click(row.getByRole('button', { name: 'More actions' })),
      shown: () => page.getByRole('menu').waitFor(),
    },
    { kind: 'close', act: key('Escape') },
    {
      kind: 'details',
      act: click(row.locator('[data-title]')),
      shown: () => row.locator('[aria-expanded=true]').waitFor(),
    },
    { kind: 'close', act: key('Escape') },
    { kind: 'type', act: click(field) },
    ...['b', 'u', 'y', 'Backspace', 'Backspace', 'Backspace'].map(
      (name) => /** @type {Step} */ ({ kind: 'type', act: key(name) }),
    ),
    {
      kind: 'sort',
      act: click(sort),
      shown: () => page.getByRole('menuitemradio', { name: chosen }).waitFor(),
    },
    {
      kind: 'sort',
      act: click(page.getByRole('menuitemradio', { name: chosen })),
      shown: () => sort.filter({ hasText: chosen }).waitFor(),
    },
    ...['j', 'j', 'j', 'k', 'ArrowDown'].map(
      (name) => /** @type {Step} */ ({ kind: 'keys', act: key(name) }),
    ),
  ]
}

/**
 * As a person does: the pointer is there first.
 * @param {Page} page
 * @param {Locator} what
 */
async function clickOn(page, what) {
  await what.hover()
  await page.waitForTimeout(50)
  await page.mouse.down()
  await page.mouse.up()
}

function print() {
  const sides = [...new Set(taken.map(({ of }) => of))]
  const results = counts.flatMap((count) =>
    ['all', promised.join(', '), ...kinds].map((name) => {
      const asked = name === 'all' ? kinds : name.split(', ')
      const all = taken.filter((one) => one.count === count && asked.some((kind) => kind === one.kind))
      const bySide = sides.map((side) => {
        const durations = all.filter(({ of }) => of === side).map(({ duration }) => duration)
        const [median, p75, p98, worst] = [0.5, 0.75, 0.98, 1].map((part) => share(durations, part))
        return [side, { median, p75, p98, worst, count: durations.length }]
      })
      return { tasks: count, kind: name, ...Object.fromEntries(bySide) }
    }),
  )
  say(
    `Processor ${conditions.slower} times slower; milliseconds from a press to the next paint; load before: ${conditions.load.toFixed(1)}\n`,
  )
  say(
    `${''.padEnd(38)}${sides.map((side) => `${['median', '75 %', '98 %', 'worst'].map((word) => word.padStart(8)).join('')}${side === 'other' ? '  (the other)' : ''}`).join('   ')}`,
  )
  for (const result of results) {
    const name = `${result.tasks} tasks, ${result.kind} (${result.this.count})`
    const numbers = sides.map((side) => {
      const { median, p75, p98, worst } = result[side]
      return [median, p75, p98, worst].map((time) => time.toFixed(0).padStart(8)).join('')
    })
    say(`${name.padEnd(38)}${numbers.join('   ')}`)
  }
  mkdirSync('dist/bench', { recursive: true })
  writeFileSync('dist/bench/interactions.json', `${JSON.stringify({ conditions, results }, null, 2)}\n`)
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
