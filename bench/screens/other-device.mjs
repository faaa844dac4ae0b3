// What a page does when another device ticks a task, among 5,000 of them beside 50: how long its frames and tasks take from the moment
// it hears of the change until the tick is drawn, and what it is sent for it. In Chromium on a processor slowed down four times, over
// 1.6 Mbit/s and 150 ms; ten changes each, in turns. The promise: no frame over 33 ms.
// `node bench/screens/other-device.mjs [changes] [--counts 50,5000] [--beside <another checkout>]`; the same as JSON in
// dist/bench/other-device.json. `--beside` measures the other checkout in turns with this one.
import { parseArgs } from 'node:util'
import { call } from '../calls/person.mjs'
import { note, noteBeside, print } from '../web/measurements.mjs'
import { otherDeviceOf, personWithTasks } from '../web/people.mjs'
import { newContext, openUsable, slowPage, withBrowser } from '../web/slow-browser.mjs'

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { counts: { type: 'string', default: '50,5000' }, beside: { type: 'string' } },
})
const changes = Number(positionals[0] ?? 10)
const counts = options.counts.split(',').map(Number)
/** Code gets compiled. */
const uncounted = 2
/** Milliseconds: two frames at 60 a second, in whole ones. */
const longest = 33

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {{ took: number, until: number[], later: number[] }} Shown `took`: from hearing of the change until the tick was drawn;
 * `until`, `later`: how long each frame took, until then and afterwards
 * @typedef {{ name: string, ts: number, dur?: number, pid: number, tid: number }} TraceEvent microseconds
 */

await withBrowser(
  async (browser, addresses) => {
    const pages = []
    for (const [place, address] of addresses.entries()) {
      for (const count of counts) {
        const side = place === 0 ? note : noteBeside
        pages.push({ count, note: side, worst: 0, ...(await openTodos(browser, address, count)) })
      }
    }
    for (let round = -uncounted; round < changes; round++) {
      // In turns, so that what else the machine does hits all.
      for (const one of round % 2 === 0 ? pages : pages.toReversed()) {
        const seen = await one.tick()
        if (round < 0) continue
        const name = `${one.count} tasks`
        const frame = Math.max(...seen.until)
        one.worst = Math.max(one.worst, frame)
        one.note(`${name}: the longest frame`, 'ms', longest, Math.floor(frame))
        one.note(`${name}: the longest task`, 'ms', undefined, seen.task)
        one.note(`${name}: the longest frame afterwards`, 'ms', undefined, Math.max(0, ...seen.later))
        one.note(`${name}: from hearing to tick`, 'ms', undefined, seen.took)
        one.note(`${name}: sent for it`, 'KB', undefined, seen.bytes / 1_024)
        one.note(`${name}: reads`, '', undefined, seen.reads)
      }
    }
    for (const { count, note, worst } of pages)
      note(`${count} tasks: the longest frame of all`, 'ms', longest, Math.floor(worst))
  },
  { beside: options.beside },
)
print('other-device', changes)

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {number} count of tasks
 */
async function openTodos(browser, address, count) {
  const cookies = await personWithTasks(browser, address, count)
  const other = await otherDeviceOf(address, count)
  const context = await newContext(browser, cookies, { baseURL: address, serviceWorkers: 'block' })
  await context.addInitScript(watchEvents)
  const page = await slowPage(context)
  const received = await watchReceived(page)
  await openUsable(page, '/todos')
  // What comes later is there as well, and the list is stored.
  await page.waitForTimeout(10_000)
  return {
    async tick() {
      received.startAnew()
      await browser.startTracing(page, {
        categories: ['toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
      })
      /** @type {string} */
      const id = await page.evaluate('watchFirstTask()')
      await call(other, 'PUT', `/api/todos/${id}`, { completed: 1 })
      /** @type {Shown} */
      const shown = await page.evaluate('untilShown')
      const task = longestTask(await browser.stopTracing())
      // The page lets a list rest that took long to read.
      await page.waitForTimeout(Math.min(12_000, 1_000 + 4 * shown.took))
      return { ...shown, task, ...received }
    },
  }
}

/** Runs in the page before its own code: tells when it hears of a change, and how long its frames take until that is drawn. */
function watchEvents() {
  let heard = () => {}
  const { fetch } = window
  const decoder = new TextDecoder()
  const watching = () =>
    new TransformStream({
      transform(piece, out) {
        if (decoder.decode(piece).includes('event: changed')) heard()
        out.enqueue(piece)
      },
    })
  window.fetch = async (what, how) => {
    const response = await fetch(what, how)
    if (what !== '/api/events' || !response.body) return response
    return new Response(response.body.pipeThrough(watching()), response)
  }
  Object.assign(window, {
    /** The id of the first open task. Afterwards `untilShown` is what happens until it is ticked. */
    watchFirstTask() {
      /** @type {HTMLElement | null} */
      const row = document.querySelector('ul[aria-label="Open tasks"] [data-row]')
      const box = row?.querySelector('input')
      if (!row || !box) throw new Error('There is no open task')
      Object.assign(window, { untilShown: untilShown(box) })
      return row.dataset.row
    },
  })

  /** @param {HTMLInputElement} box */
  function untilShown(box) {
    /** @type {{ from: number, to: number }[]} */
    const frames = []
    let since = Number.POSITIVE_INFINITY
    let drawnIn = Number.POSITIVE_INFINITY
    let last = performance.now()
    heard = () => {
      heard = () => {}
      since = performance.now()
      performance.mark('heard')
    }
    return new Promise((resolve) => {
      requestAnimationFrame(function frame(now) {
        frames.push({ from: last, to: now })
        last = now
        // A ticked task may leave the list at once.
        if (drawnIn === Number.POSITIVE_INFINITY && (!box.isConnected || box.checked)) {
          drawnIn = now
          performance.mark('drawn')
        }
        if (now < drawnIn + 1_000) return requestAnimationFrame(frame)
        const length = (/** @type {{ from: number, to: number }[]} */ some) =>
          some.map(({ from, to }) => to - from)
        // The frame that begins with `drawnIn` is the one that draws it.
        const until = frames.filter(({ from, to }) => to > since && from <= drawnIn)
        const later = frames.filter(({ from }) => from > drawnIn)
        resolve({ took: (until.at(-1)?.to ?? now) - since, until: length(until), later: length(later) })
      })
    })
  }
}

/**
 * Of the page's main thread, from hearing of the change until the frame that draws it, in milliseconds.
 * @param {Buffer} trace
 */
function longestTask(trace) {
  /** @type {TraceEvent[]} */
  const events = JSON.parse(trace.toString()).traceEvents
  const heard = events.find(({ name }) => name === 'heard')
  const drawn = events.find(({ name }) => name === 'drawn')
  if (!heard || !drawn) throw new Error('The trace lacks the change')
  const tasks = events.filter(
    ({ name, pid, tid, ts, dur = 0 }) =>
      name === 'RunTask' && pid === heard.pid && tid === heard.tid && ts + dur > heard.ts && ts <= drawn.ts,
  )
  return Math.max(...tasks.map(({ dur = 0 }) => dur / 1_000))
}

/**
 * Counts what the page asks the server for, and the bytes that it is sent for that and by the stream of events, with their heads.
 * @param {Page} page
 */
async function watchReceived(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  /** Addresses by request. @type {Map<string, string>} */
  const asked = new Map()
  const received = {
    bytes: 0,
    reads: 0,
    startAnew() {
      received.bytes = 0
      received.reads = 0
    },
  }
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    asked.set(requestId, new URL(request.url).pathname)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!asked.get(requestId)?.startsWith('/api/')) return
    received.bytes += encodedDataLength
    received.reads += 1
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (asked.get(requestId) === '/api/events') received.bytes += dataLength
  })
  return received
}
