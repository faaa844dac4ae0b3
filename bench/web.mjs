// What Daymark costs in Chromium on a processor slowed down four times, over 1.6 Mbit/s and 150 ms: the time until the
// landing page and the to-do list are there, and from a click to the paint that shows the task done. The promises are
// next to the results, which are medians over the rounds. `node bench/web.mjs [rounds]`; the same as JSON in
// dist/bench/web.json.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { chromiumArguments, obtainChromium } from '../scripts/chromium.mjs'
import { freePort } from '../testing/free-port.ts'

const rounds = Number(process.argv[2] ?? 5)
const slower = 4
const bytesPerSecond = 1_600_000 / 8
const latency = 150
const few = 20
const many = 1_000
const toggles = 5

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {Awaited<ReturnType<Context['storageState']>>['cookies']} Cookies
 */

/** @type {Map<string, { unit: string, most: number | undefined, values: number[] }>} */
const measurements = new Map()

const port = await freePort()
const base = `http://localhost:${port}`
const load = loadavg()[0] ?? 0
const server = spawn(process.execPath, ['scripts/serve-for-tests.mjs'], {
  env: { ...process.env, PORT: String(port) },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  await untilHealthy()
  const browser = await chromium.launch({
    executablePath: obtainChromium(console.warn),
    args: chromiumArguments,
  })
  try {
    const withFew = await signUp(browser, few)
    const withMany = await signUp(browser, many)
    for (let round = 0; round < rounds; round++) {
      await measureLanding(browser)
      await measureTodos(browser, withFew)
      await measureManyTodos(browser, withMany)
    }
  } finally {
    await browser.close()
  }
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
}
print()

/** @param {Browser} browser */
async function measureLanding(browser) {
  const context = await newContext(browser)
  const page = await slowPage(context)
  await page.goto('/')
  await settled(page)
  const seen = await seenBy(page)
  note('landing: largest contentful paint', 'ms', 1_800, seen.largestPaint)
  note('landing: blocking time', 'ms', undefined, seen.blocking)
  note('landing: layout shift', '', 0, seen.shift)
  note('landing: script', 'KB', 75, seen.script)
  note('landing: styles', 'KB', 20, seen.styles)
  note('landing: fonts', 'KB', 60, seen.fonts)
  await context.close()
}

/**
 * @param {Browser} browser
 * @param {Cookies} cookies
 */
async function measureTodos(browser, cookies) {
  const context = await newContext(browser, cookies)
  const cold = await slowPage(context)
  await cold.goto('/todos')
  await usable(cold)
  const seen = await seenBy(cold)
  note('to-dos, cold: usable', 'ms', 2_500, seen.usable)
  note('to-dos, cold: blocking time', 'ms', undefined, seen.blocking)
  note('to-dos, cold: layout shift', '', 0, seen.shift)
  note('to-dos, cold: script', 'KB', 160, seen.script)
  note('to-dos, cold: styles', 'KB', 20, seen.styles)
  note('to-dos, cold: fonts', 'KB', 60, seen.fonts)
  // Warm means somebody has been here before, and stayed for more than seconds.
  await cold.evaluate(async () => {
    const { serviceWorker } = navigator
    await serviceWorker.ready
    while (!serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50))
  })
  await cold.close()

  const warm = await slowPage(context)
  await warm.goto('/todos')
  await usable(warm)
  const again = await seenBy(warm)
  note('to-dos, warm: usable', 'ms', 1_000, again.usable)
  note('to-dos, warm: blocking time', 'ms', undefined, again.blocking)
  note('to-dos, warm: layout shift', '', 0, again.shift)
  await measureToggles(warm, few, 50)
  await context.close()
}

/**
 * @param {Browser} browser
 * @param {Cookies} cookies
 */
async function measureManyTodos(browser, cookies) {
  const context = await newContext(browser, cookies)
  const page = await slowPage(context)
  await page.goto('/todos')
  await usable(page)
  await measureToggles(page, many, 100)
  await measureScroll(page)
  await context.close()
}

/**
 * From the press of the mouse button, as received by the browser, until after the paint that shows the task done.
 * @param {Page} page
 * @param {number} rows
 * @param {number} most milliseconds
 */
async function measureToggles(page, rows, most) {
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
        const title = box.closest('li')?.querySelector('span[dir]')
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
  const { todos } = await (await page.request.get('/api/todos')).json()
  for (const { id, completed } of todos) {
    if (!completed) continue
    const answer = await page.request.put(`/api/todos/${id}`, {
      data: { completed: 0 },
      headers: { origin: base },
    })
    if (!answer.ok()) throw new Error(await answer.text())
  }
}

/** @param {Page} page */
async function measureScroll(page) {
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

/**
 * @param {Browser} browser
 * @param {Cookies} [cookies]
 */
async function newContext(browser, cookies = []) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 800 } })
  await context.addCookies(cookies)
  await context.addInitScript(watch)
  return context
}

/** @param {Context} context */
async function slowPage(context) {
  const page = await context.newPage()
  const browser = await context.newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: slower })
  await browser.send('Network.enable')
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  return page
}

/** Runs in the page before its own code: records what the browser reports about loading. */
function watch() {
  const seen = { largestPaint: 0, shift: 0, blocking: 0, usable: 0 }
  Object.assign(window, { seen })
  const on = (
    /** @type {string} */ type,
    /** @type {(entry: PerformanceEntry & Record<string, any>) => void} */ take,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  on('largest-contentful-paint', ({ startTime }) => {
    seen.largestPaint = startTime
  })
  on('layout-shift', ({ value }) => {
    seen.shift += value
  })
  on('longtask', ({ duration }) => {
    seen.blocking += duration - 50
  })
  // Usable means that a row is painted and the main thread is free to handle a click.
  const rows = new MutationObserver(() => {
    if (!document.querySelector('ul[aria-label="Open tasks"] input')) return
    rows.disconnect()
    requestAnimationFrame(() =>
      setTimeout(() => {
        seen.usable = performance.now()
      }),
    )
  })
  rows.observe(document, { subtree: true, childList: true })
}

/** @param {Page} page */
async function settled(page) {
  await page.waitForLoadState('load')
  await page.waitForTimeout(2_000)
}

/** @param {Page} page */
async function usable(page) {
  await page.waitForFunction(() => /** @type {any} */ (window).seen.usable > 0)
  await page.waitForTimeout(2_000)
}

/**
 * @param {Page} page
 * @returns {Promise<Record<'largestPaint' | 'shift' | 'blocking' | 'usable' | 'script' | 'styles' | 'fonts', number>>}
 */
function seenBy(page) {
  return page.evaluate(() => {
    const seen = /** @type {any} */ (window).seen
    // What is fetched later, without delaying anything, isn't counted.
    const files = performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => seen.usable === 0 || startTime < seen.usable)
    const kilobytes = (/** @type {RegExp} */ name) =>
      files
        .filter((file) => name.test(new URL(file.name).pathname))
        .reduce(
          (sum, file) => sum + (file instanceof PerformanceResourceTiming ? file.encodedBodySize : 0),
          0,
        ) / 1024
    return { ...seen, script: kilobytes(/\.js$/), styles: kilobytes(/\.css$/), fonts: kilobytes(/\.woff2$/) }
  })
}

/**
 * @param {Browser} browser
 * @param {number} todos
 * @returns {Promise<Cookies>}
 */
async function signUp(browser, todos) {
  const context = await browser.newContext({ baseURL: base })
  const headers = { origin: base }
  await context.request.post('/api/auth/sign-up/email', {
    data: { name: 'Maren-Lind', email: `maren-${todos}@lindholm.example`, password: 'correct horse' },
    headers,
  })
  const now = Date.now()
  const titles = Array.from({ length: todos }, (_, place) => `Task ${place}`)
  for (let next = 0; next < todos; next += 20) {
    const answers = await Promise.all(
      titles.slice(next, next + 20).map((title, place) =>
        context.request.post('/api/todos', {
          data: { title, completed: 0, at: new Date(now - 60_000 * (next + place + 1)).toISOString() },
          headers,
        }),
      ),
    )
    const refused = answers.find((answer) => !answer.ok())
    if (refused) throw new Error(await refused.text())
  }
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}

/**
 * @param {string} name
 * @param {string} unit
 * @param {number | undefined} most the promise for the median
 * @param {number} value
 */
function note(name, unit, most, value) {
  const measurement = measurements.get(name) ?? { unit, most, values: [] }
  measurement.values.push(value)
  measurements.set(name, measurement)
}

function print() {
  const conditions = { rounds, slower, bytesPerSecond, latency, load }
  const results = [...measurements].map(([name, { unit, most, values }]) => {
    const sorted = values.toSorted((one, other) => one - other)
    const at = (/** @type {number} */ share) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return { name, unit, most, median: at(0.5), least: at(0), worst: at(1), count: sorted.length }
  })
  process.stdout.write(
    `Processor ${slower} times slower, 1.6 Mbit/s, ${latency} ms, ${rounds} rounds; load before: ${load.toFixed(1)}\n\n`,
  )
  process.stdout.write(`${'median'.padStart(49)}${'promise'.padStart(12)}${'least to worst'.padStart(20)}\n`)
  for (const { name, unit, most, median, least, worst } of results) {
    const digits = unit === '' ? 3 : unit === 'KB' ? 1 : 0
    const say = (/** @type {number} */ value) => value.toFixed(digits)
    const kept = most === undefined ? '' : `${median <= most ? '≤' : 'MISSED'} ${most}`
    process.stdout.write(
      `${name.padEnd(38)}${say(median).padStart(8)} ${unit.padEnd(2)}${kept.padStart(12)}` +
        `${`${say(least)} to ${say(worst)}`.padStart(20)}\n`,
    )
  }
  mkdirSync('dist/bench', { recursive: true })
  writeFileSync('dist/bench/web.json', `${JSON.stringify({ conditions, results }, null, 2)}\n`)
}

async function untilHealthy() {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server ended')
    const answer = await fetch(`${base}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
