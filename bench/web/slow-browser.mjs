// The server and the slow browser of the benches of the web.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { chromiumArguments, obtainChromium } from '../../scripts/chromium.mjs'
import { freePort } from '../../testing/free-port.ts'

const slower = 4
const bytesPerSecond = 1_600_000 / 8
const latency = 150
/** What every measurement was made under; `load` is that of the machine before. */
export const conditions = { slower, bytesPerSecond, latency, load: loadavg()[0] ?? 0 }

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {Awaited<ReturnType<Context['storageState']>>['cookies']} Cookies
 */

const port = await freePort()
export const base = `http://localhost:${port}`

/**
 * The built app on data of its own, and a browser, until `measure` is done.
 * @param {(browser: Browser) => Promise<void>} measure
 * @param {{ limited?: boolean }} [options] `limited`: the server limits requests, as it does for everybody
 */
export async function withBrowser(measure, { limited = false } = {}) {
  const server = spawn(process.execPath, ['scripts/serve-for-tests.mjs'], {
    env: { ...process.env, PORT: String(port), ...(limited && { RATE_LIMIT: 'on' }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await untilHealthy(server)
    const browser = await chromium.launch({
      executablePath: obtainChromium(console.warn),
      args: chromiumArguments,
    })
    try {
      await measure(browser)
    } finally {
      await browser.close()
    }
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
}

/**
 * Somebody new, who is signed in.
 * @param {Browser} browser
 * @param {string} name of the mailbox
 * @returns {Promise<Context>}
 */
export async function signUp(browser, name) {
  const context = await browser.newContext({ baseURL: base, extraHTTPHeaders: { origin: base } })
  const answer = await context.request.post('/api/auth/sign-up/email', {
    data: { name: 'Maren-Lind', email: `${name}@lindholm.example`, password: 'correct horse' },
  })
  if (!answer.ok()) throw new Error(await answer.text())
  return context
}

/**
 * @param {Browser} browser
 * @param {Cookies} [cookies]
 */
export async function newContext(browser, cookies = []) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 800 } })
  await context.addCookies(cookies)
  await context.addInitScript(watch)
  return context
}

/** @param {Context} context */
export async function slowPage(context) {
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

/**
 * How long the main thread of a page has worked by now, in milliseconds of a slow processor, however busy this one is: for a page
 * that is not slowed down, since what waits for the processor is slowed down all the while.
 * @param {Page} page
 * @returns {Promise<() => Promise<number>>}
 */
export async function workOf(page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000 * slower
  }
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
  // Usable means that the row of a task is painted and the main thread is free to handle a click.
  const rows = new MutationObserver(() => {
    if (!document.querySelector('[data-row]:has([data-title]) input')) return
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
export async function usable(page) {
  await page.waitForFunction(() => /** @type {any} */ (window).seen.usable > 0)
  await page.waitForTimeout(2_000)
}

/**
 * @param {Page} page
 * @returns {Promise<Record<'largestPaint' | 'shift' | 'blocking' | 'usable' | 'script' | 'styles' | 'fonts' | 'read', number>>}
 */
export function seenBy(page) {
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
    return {
      ...seen,
      script: kilobytes(/\.js$/),
      styles: kilobytes(/\.css$/),
      fonts: kilobytes(/\.woff2$/),
      read: kilobytes(/^\/api\//),
    }
  })
}

/**
 * Warm means somebody has been here before, and stayed for more than seconds.
 * @param {Page} page
 */
export async function untilStored(page) {
  await page.evaluate(async () => {
    const { serviceWorker } = navigator
    await serviceWorker.ready
    while (!serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50))
  })
}

async function untilHealthy(/** @type {import('node:child_process').ChildProcess} */ server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server ended')
    const answer = await fetch(`${base}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
