// The server and the slow browser of the benches of the web.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { chromiumArguments, obtainChromium } from '../../scripts/chromium.mjs'
import { freePort } from '../../testing/free-port.ts'
import { markUsable, openUntilUsable, overPhoneLine, phoneLine } from '../../testing/usable.ts'

const slower = 4
/** What every measurement was made under; `load` is that of the machine before. */
export const conditions = { slower, ...phoneLine, load: loadavg()[0] ?? 0 }

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {Awaited<ReturnType<Context['storageState']>>['cookies']} Cookies
 */

const password = 'correct horse'
const port = await freePort()
export const base = addressAt(port)

/**
 * The built app on data of its own, and a browser, until `measure` is done. It is given the address of the app, and after it that of
 * another checkout's, if there is one.
 * @param {(browser: Browser, addresses: string[]) => Promise<void>} measure
 * @param {{ limited?: boolean, beside?: string | undefined }} [options] `limited`: the server limits requests, as it does for everybody;
 * `beside`: the folder of another checkout
 */
export async function withBrowser(measure, { limited = false, beside } = {}) {
  await withServer('.', port, limited, async () => {
    if (beside === undefined) return await inBrowser((browser) => measure(browser, [base]))
    const otherPort = await freePort()
    await withServer(beside, otherPort, limited, () =>
      inBrowser((browser) => measure(browser, [base, addressAt(otherPort)])),
    )
  })
}

/** @param {(browser: Browser) => Promise<void>} measure */
async function inBrowser(measure) {
  const browser = await chromium.launch({
    executablePath: obtainChromium(console.warn),
    args: chromiumArguments,
  })
  try {
    await measure(browser)
  } finally {
    await browser.close()
  }
}

/**
 * @param {string} checkout
 * @param {number} port
 * @param {boolean} limited
 * @param {() => Promise<void>} use
 */
async function withServer(checkout, port, limited, use) {
  const server = spawn(process.execPath, ['scripts/serve-for-tests.mjs'], {
    cwd: checkout,
    env: { ...process.env, PORT: String(port), ...(limited && { RATE_LIMIT: 'on' }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await untilHealthy(server, addressAt(port))
    await use()
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
}

/**
 * Somebody new, who is signed in.
 * @param {Browser} browser
 * @param {string} name of the mailbox
 * @param {string} [address] of the app
 * @returns {Promise<Context>}
 */
export async function signUp(browser, name, address = base) {
  const context = await browser.newContext({ baseURL: address, extraHTTPHeaders: { origin: address } })
  const data = { name: 'Maren-Lind', email: emailOf(name), password }
  let response = await context.request.post('/api/auth/sign-up/email', { data })
  // One address may sign up only a few times a minute.
  while (response.status() === 429) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    response = await context.request.post('/api/auth/sign-up/email', { data })
  }
  if (!response.ok()) throw new Error(await response.text())
  return context
}

/**
 * Signs in on another device, without a browser. Resolves with its cookie.
 * @param {string} name of the mailbox
 * @param {string} [address] of the app
 */
export async function signInElsewhere(name, address = base) {
  const response = await fetch(`${address}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: address, 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(name), password }),
  })
  if (!response.ok) throw new Error(await response.text())
  const cookies = response.headers.getSetCookie()
  return cookies.map((text) => text.split(';')[0]).join('; ')
}

/** @param {string} name */
function emailOf(name) {
  return `${name}@lindholm.example`
}

/**
 * @param {Browser} browser
 * @param {Cookies} [cookies]
 * @param {import('@playwright/test').BrowserContextOptions} [options]
 */
export async function newContext(browser, cookies = [], options = {}) {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1280, height: 800 },
    ...options,
  })
  await context.addCookies(cookies)
  await context.addInitScript(markUsable)
  await context.addInitScript(watch)
  return context
}

/** @param {Context} context */
export async function slowPage(context) {
  const page = await context.newPage()
  await slowDownProcessor(page)
  await overPhoneLine(await context.newCDPSession(page))
  return page
}

/** @param {Page} page */
export async function slowDownProcessor(page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: slower })
}

/**
 * How long the main thread of a page has worked by now, in milliseconds of a slow processor, however busy this one is: for a page
 * that is not slowed down, since what waits for the processor is slowed down all the while. `byClock`: for one that is, by the clock.
 * @param {Page} page
 * @param {boolean} [byClock]
 * @returns {Promise<() => Promise<number>>}
 */
export async function workOf(page, byClock = false) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable', { timeDomain: byClock ? 'timeTicks' : 'threadTicks' })
  return async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    return (
      (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) *
      1000 *
      (byClock ? 1 : slower)
    )
  }
}

/** Runs in the page before its own code: records what the browser reports about loading. */
function watch() {
  const seen = { largestPaint: 0, shift: 0, blocking: 0 }
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
}

/**
 * Opens this address. Resolves to the milliseconds until the page was usable, and some time later: what follows at once belongs to
 * what it costs.
 * @param {Page} page
 * @param {string} address
 */
export async function openUsable(page, address) {
  const time = await openUntilUsable(page, address)
  await page.waitForTimeout(2_000)
  return time
}

/**
 * @param {Page} page
 * @returns {Promise<Record<'largestPaint' | 'shift' | 'blocking', number>>}
 */
export function seenBy(page) {
  return page.evaluate(() => /** @type {any} */ (window).seen)
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

/**
 * @param {import('node:child_process').ChildProcess} server
 * @param {string} address
 */
async function untilHealthy(server, address) {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server ended')
    const response = await fetch(`${address}/api/health`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** @param {number} port */
function addressAt(port) {
  return `http://localhost:${port}`
}
