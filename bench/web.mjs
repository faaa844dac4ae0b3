// What Daymark costs in Chromium on a processor slowed down four times, over 1.6 Mbit/s and 150 ms: the time until the
// landing page, the to-do list, the page of the day and the habits are there, and from a click to the paint that shows the task done.
// Beside each screen's time, how many times that of the floor (web/floor.mjs) in the same round it is. The promises are next to the
// results, which are medians over the rounds.
// `node bench/web.mjs [rounds] [--screens] [--list] [--beside <another checkout>]`: `--screens` leaves out the landing page, clicks and
// scrolling; `--list` says of every request until a screen was usable when it was sent and received; `--beside` measures the other
// checkout in turns with this one. The same as JSON in dist/bench/web.json.
import { parseArgs } from 'node:util'
import budget from '../scripts/web/web-budget.json' with { type: 'json' }
import { listed, openUntilUsable, sizeOf, watchRequests } from '../testing/usable.ts'
import { floorPage } from './web/floor.mjs'
import { note, noteBeside, print } from './web/measurements.mjs'
import { personWithHabits, personWithTasks } from './web/people.mjs'
import { newContext, openUsable, seenBy, slowPage, untilStored, withBrowser } from './web/slow-browser.mjs'

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { screens: { type: 'boolean' }, list: { type: 'boolean' }, beside: { type: 'string' } },
})
const rounds = Number(positionals[0] ?? 5)
const few = 20
const many = 1_000
const toggles = 5
/** How many times the floor a screen may take. */
const most = { cold: 1.45, warm: 2.2 }

/** The most that may be sent until a screen is usable. */
const { '/todos': ofTodos, '/today': ofToday } = budget.untilUsable
const screens = [
  { name: 'to-dos', path: '/todos', whose: 'withFew', ...ofTodos },
  { name: 'today', path: '/today', whose: 'withFew', ...ofToday },
  { name: 'habits', path: '/habits', whose: 'withHabits', requests: undefined, script: undefined },
]

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('./web/people.mjs').Cookies} Cookies
 * @typedef {import('./web/measurements.mjs').Note} Note
 * @typedef {(typeof screens)[number]} Screen
 * @typedef {{ cold: number, warm: number, warmWithoutWorker: number }} Times until a screen was usable
 */

/**
 * A checkout that is measured.
 * @typedef {object} Side
 * @property {string} address
 * @property {string} prefix of what it is called in the lists
 * @property {Note} note
 * @property {Cookies} withFew
 * @property {Cookies} withMany
 * @property {Cookies} withHabits
 */

/** @type {Map<string, string>} The requests until each screen was usable, in the last round. */
const lists = new Map()

await withBrowser(
  async (browser, addresses) => {
    const floor = await floorPage()
    /** @type {Side[]} */
    const sides = []
    for (const address of addresses) {
      sides.push({
        address,
        ...(sides.length === 0 ? { prefix: '', note } : { prefix: 'the other, ', note: noteBeside }),
        withFew: await personWithTasks(browser, address, few),
        withMany: options.screens ? [] : await personWithTasks(browser, address, many),
        withHabits: await personWithHabits(browser, address, few),
      })
    }
    for (let round = 0; round < rounds; round++) {
      // In turns, so that what else the machine does hits all.
      const inTurn = rotated(sides, round)
      await measureScreens(browser, sides[0]?.withFew ?? [], floor.address, inTurn, round)
      if (options.screens) continue
      for (const side of inTurn) await measureLanding(browser, side)
      for (const side of inTurn) await measureFewTodos(browser, side)
      for (const side of inTurn) await measureManyTodos(browser, side)
    }
    floor.close()
  },
  { beside: options.beside },
)
for (const [title, list] of lists) process.stdout.write(`${title}, ${list}\n\n`)
print('web', rounds)

/**
 * @param {Browser} browser
 * @param {Side} side
 */
async function measureLanding(browser, { address, note }) {
  const context = await newContext(browser, [], { baseURL: address })
  const page = await slowPage(context)
  const requests = await watchRequests(page)
  await page.goto('/')
  await settled(page)
  const sent = await requests.before(Number.POSITIVE_INFINITY)
  const seen = await seenBy(page)
  note('landing: largest contentful paint', 'ms', 1_800, seen.largestPaint)
  note('landing: blocking time', 'ms', undefined, seen.blocking)
  note('landing: layout shift', '', 0, seen.shift)
  note('landing: script', 'KB', 75, sizeOf(sent, /\.js$/))
  note('landing: styles', 'KB', 20, sizeOf(sent, /\.css$/))
  note('landing: fonts', 'KB', 60, sizeOf(sent, /\.woff2$/))
  await context.close()
}

/**
 * Each screen and the floor once, beginning with another one each round. The same tasks on the to-do screen and on Today: whoever
 * starts with Today waits no longer.
 * @param {Browser} browser
 * @param {Cookies} cookies
 * @param {string} floor
 * @param {Side[]} sides
 * @param {number} round
 */
async function measureScreens(browser, cookies, floor, sides, round) {
  let ofFloor = { cold: Number.NaN, warm: Number.NaN }
  /** @type {{ side: Side, name: string, times: Times }[]} */
  const taken = []
  for (const screen of rotated([undefined, ...screens], round)) {
    if (screen) {
      for (const side of sides) {
        taken.push({ side, name: screen.name, times: await measureScreen(browser, side, screen) })
      }
    } else ofFloor = await measureFloor(browser, cookies, floor)
  }
  note('floor, cold: usable', 'ms', undefined, ofFloor.cold)
  note('floor, warm: usable', 'ms', undefined, ofFloor.warm)
  for (const { side, name, times } of taken) {
    side.note(`${name}, cold: times the floor`, '', most.cold, times.cold / ofFloor.cold)
    side.note(`${name}, warm: times the floor`, '', most.warm, times.warm / ofFloor.warm)
    side.note(
      `${name}, warm, no worker: times the floor`,
      '',
      most.warm,
      times.warmWithoutWorker / ofFloor.warm,
    )
  }
  for (const side of sides) {
    const [todos, today] = ['to-dos', 'today'].map(
      (name) => taken.find((one) => one.side === side && one.name === name)?.times,
    )
    if (!todos || !today) throw new Error('A screen was not measured')
    side.note('today beside to-dos, cold: usable', '', 1, today.cold / todos.cold)
    side.note('today beside to-dos, warm: usable', '', 1, today.warm / todos.warm)
  }
}

/**
 * @param {Browser} browser
 * @param {Cookies} cookies
 * @param {string} address
 * @returns {Promise<{ cold: number, warm: number }>} until its rows were usable; warm: with its script from the browser's cache
 */
async function measureFloor(browser, cookies, address) {
  const context = await newContext(browser, cookies)
  const open = async () => {
    const page = await slowPage(context)
    const time = await openUntilUsable(page, address)
    await page.close()
    return time
  }
  const times = { cold: await open(), warm: await open() }
  await context.close()
  return times
}

/**
 * @param {Browser} browser
 * @param {Side} side
 * @param {Screen} screen
 * @returns {Promise<Times>}
 */
async function measureScreen(browser, side, screen) {
  const { note, address, prefix } = side
  const { name, path } = screen
  const cookies = screen.whose === 'withFew' ? side.withFew : side.withHabits
  const context = await newContext(browser, cookies, { baseURL: address })
  const first = await slowPage(context)
  const requests = await watchRequests(first)
  const cold = await openUsable(first, path)
  const sent = await requests.before(cold)
  const seen = await seenBy(first)
  note(`${name}, cold: usable`, 'ms', 2_500, cold)
  note(`${name}, cold: blocking time`, 'ms', undefined, seen.blocking)
  note(`${name}, cold: layout shift`, '', 0, seen.shift)
  note(`${name}, cold: requests`, '', screen.requests, sent.length)
  note(`${name}, cold: script`, 'KB', screen.script, sizeOf(sent, /\.js$/))
  note(`${name}, cold: styles`, 'KB', 20, sizeOf(sent, /\.css$/))
  note(`${name}, cold: fonts`, 'KB', 60, sizeOf(sent, /\.woff2$/))
  if (options.list) {
    lists.set(`${prefix}${path}`, `usable after ${cold.toFixed(0)} ms\n${listed(sent)}`)
  }
  await untilStored(first)
  await first.close()

  const second = await slowPage(context)
  const warm = await openUsable(second, path)
  const again = await seenBy(second)
  note(`${name}, warm: usable`, 'ms', 1_000, warm)
  note(`${name}, warm: blocking time`, 'ms', undefined, again.blocking)
  note(`${name}, warm: layout shift`, '', 0, again.shift)
  await context.close()

  const warmWithoutWorker = await timeWithoutWorker(browser, cookies, address, path)
  note(`${name}, warm, no worker: usable`, 'ms', undefined, warmWithoutWorker)
  return { cold, warm, warmWithoutWorker }
}

/**
 * Of somebody who was here before, in a browser that has no service worker. How fast the first time was makes no difference to the
 * second.
 * @param {Browser} browser
 * @param {Cookies} cookies
 * @param {string} address
 * @param {string} path
 * @returns {Promise<number>} until the screen was usable
 */
async function timeWithoutWorker(browser, cookies, address, path) {
  const context = await newContext(browser, cookies, { baseURL: address, serviceWorkers: 'block' })
  const first = await context.newPage()
  await openUsable(first, path)
  await first.close()
  const second = await slowPage(context)
  const time = await openUntilUsable(second, path)
  await context.close()
  return time
}

/**
 * @param {Browser} browser
 * @param {Side} side
 */
async function measureFewTodos(browser, { address, note, withFew }) {
  const context = await newContext(browser, withFew, { baseURL: address })
  const page = await slowPage(context)
  await openUsable(page, '/todos')
  await measureToggles(page, note, few, 50)
  await context.close()
}

/**
 * @param {Browser} browser
 * @param {Side} side
 */
async function measureManyTodos(browser, { address, note, withMany }) {
  const context = await newContext(browser, withMany, { baseURL: address })
  const page = await slowPage(context)
  await openUsable(page, '/todos')
  await measureToggles(page, note, many, 100)
  await measureScroll(page, note)
  await context.close()
}

/**
 * From the press of the mouse button, as received by the browser, until after the paint that shows the task done.
 * @param {Page} page
 * @param {Note} note
 * @param {number} rows
 * @param {number} most milliseconds
 */
async function measureToggles(page, note, rows, most) {
  await page.evaluate(() => {
    /** @type {number[]} */
    const shown = []
    Object.assign(window, { shown })
    const { port1, port2 } = new MessageChannel()
    /** @type {(() => void)[]} */
    const painted = []
    port2.onmessage = () => painted.shift()?.()
    addEventListener(
      'click',
      (event) => {
        const box = event.target
        if (!(box instanceof HTMLInputElement)) return
        const title = box.closest('li')?.querySelector('[data-title]')
        const look = () =>
          requestAnimationFrame(() => {
            const done =
              box.checked && title && getComputedStyle(title).textDecorationLine.includes('line-through')
            // The message is delivered after this frame is painted.
            painted.push(() => (done ? shown.push(performance.now() - event.timeStamp) : look()))
            port1.postMessage(undefined)
          })
        look()
      },
      true,
    )
  })
  const boxes = page.locator('ul[aria-label="Open tasks"] input')
  for (let toggle = 0; toggle < toggles; toggle++) {
    // Before the pointer moves, because asking for a position forces a layout.
    const place = await boxes.nth(toggle).boundingBox()
    if (!place) throw new Error('a row has no place')
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
    await page.waitForTimeout(300)
    await page.mouse.down()
    await page.mouse.up()
    // Long enough for the row to be released and moved.
    await page.waitForTimeout(1_500)
  }
  /** @type {number[]} */
  const shown = await page.evaluate('shown')
  if (shown.length !== toggles) throw new Error(`${shown.length} of ${toggles} clicks were shown`)
  for (const time of shown) note(`${rows} to-dos: click to shown done`, 'ms', most, time)
  await undoToggles(page)
}

/** So that the next round begins with the same list. */
async function undoToggles(/** @type {Page} */ page) {
  const { origin } = new URL(page.url())
  const { todos } = await (await page.request.get('/api/todos')).json()
  for (const { id, completed } of todos) {
    if (!completed) continue
    const response = await page.request.put(`/api/todos/${id}`, {
      data: { completed: 0 },
      headers: { origin },
    })
    if (!response.ok()) throw new Error(await response.text())
  }
}

/**
 * @param {Page} page
 * @param {Note} note
 */
async function measureScroll(page, note) {
  await page.evaluate(() => {
    /** @type {number[]} */
    const frames = []
    Object.assign(window, { frames })
    let last = performance.now()
    requestAnimationFrame(function frame(now) {
      frames.push(now - last)
      last = now
      requestAnimationFrame(frame)
    })
  })
  const browser = await page.context().newCDPSession(page)
  await browser.send('Input.synthesizeScrollGesture', {
    x: 700,
    y: 500,
    yDistance: -8_000,
    speed: 2_000,
    gestureSourceType: 'mouse',
  })
  /** @type {number[]} */
  const frames = await page.evaluate('frames')
  for (const frame of frames) note(`${many} to-dos: a frame while scrolling`, 'ms', undefined, frame)
}

/** @param {Page} page */
async function settled(page) {
  await page.waitForLoadState('load')
  await page.waitForTimeout(2_000)
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {number} by
 * @returns {T[]}
 */
function rotated(all, by) {
  const first = by % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}
