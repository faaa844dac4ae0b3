// What a list of 1,000 to-dos costs in Chromium on a processor made four times slower: from a click to the
// next paint, and a frame while scrolling. Prints figures; the promise is a click to the next paint under 100 ms.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { chromium } from '@playwright/test'
import { chromiumArguments, obtainChromium } from '../scripts/chromium.mjs'

const todos = 1_000
const toggles = 30
const slower = 4

const port = await freePort()
const base = `http://localhost:${port}`
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
    await measure(browser)
  } finally {
    await browser.close()
  }
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
}

/** @param {import('@playwright/test').Browser} browser */
async function measure(browser) {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await keepTodos(page)

  const processor = await context.newCDPSession(page)
  await processor.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const opened = performance.now()
  await page.goto('/todos')
  await page.getByText('Task 0', { exact: true }).waitFor()
  const untilShown = performance.now() - opened
  await page.waitForTimeout(2_000)

  print(`${todos} to-dos, processor ${slower} times slower`, [['until the list is shown', [untilShown]]])
  print(`${toggles} toggles, pointer on the checkbox`, await measureToggles(page))
  print('scrolling 8,000 px by the wheel', [['a frame', await measureScroll(page, processor)]])
}

/**
 * The browser's own account of each click, which counts from the hardware event to the paint that shows it.
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<[string, number[]][]>}
 */
async function measureToggles(page) {
  await page.evaluate(() => {
    /** @type {{ paint: number[], handlers: number[], long: number[] }} */
    const seen = { paint: [], handlers: [], long: [] }
    Object.assign(window, { seen })
    const clicks = { type: 'event', durationThreshold: 16 }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!(entry instanceof PerformanceEventTiming) || entry.name !== 'click') continue
        seen.paint.push(entry.duration)
        seen.handlers.push(entry.processingEnd - entry.processingStart)
      }
    }).observe(clicks)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.long.push(entry.duration)
    }).observe({ type: 'longtask' })
  })
  const boxes = page.locator('ul[aria-label="Open tasks"] input')
  for (let toggle = 0; toggle < toggles; toggle++) {
    // Before the pointer comes, for asking where something is makes the browser lay out.
    const place = await boxes.nth(toggle % 12).boundingBox()
    if (!place) throw new Error('a row has no place')
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
    await page.waitForTimeout(300)
    await page.mouse.down()
    await page.mouse.up()
    // Long enough for the row to be let go and to have moved.
    await page.waitForTimeout(1_500)
  }
  /** @type {{ paint: number[], handlers: number[], long: number[] }} */
  const seen = await page.evaluate('seen')
  if (seen.paint.length < 20) throw new Error(`only ${seen.paint.length} clicks took 16 ms or more`)
  return [
    ['click to next paint', seen.paint],
    ['of it our own code', seen.handlers],
    ['tasks over 50 ms, moving rows included', seen.long],
  ]
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {import('@playwright/test').CDPSession} browser
 * @returns {Promise<number[]>} milliseconds between frames
 */
async function measureScroll(page, browser) {
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
  await browser.send('Input.synthesizeScrollGesture', {
    x: 700,
    y: 500,
    yDistance: -8_000,
    speed: 2_000,
    gestureSourceType: 'mouse',
  })
  return page.evaluate('frames')
}

/** @param {import('@playwright/test').Page} page */
async function keepTodos(page) {
  const headers = { origin: base }
  await page.request.post('/api/auth/sign-up/email', {
    data: { name: 'Maren-Lind', email: 'maren@lindholm.example', password: 'correct horse' },
    headers,
  })
  const now = Date.now()
  const titles = Array.from({ length: todos }, (_, place) => `Task ${place}`)
  for (let next = 0; next < todos; next += 20) {
    const answers = await Promise.all(
      titles.slice(next, next + 20).map((title, place) =>
        page.request.post('/api/todos', {
          data: { title, completed: 0, at: new Date(now - 60_000 * (next + place + 1)).toISOString() },
          headers,
        }),
      ),
    )
    const refused = answers.find((answer) => !answer.ok())
    if (refused) throw new Error(await refused.text())
  }
}

/**
 * @param {string} what
 * @param {[string, number[]][]} figures in milliseconds
 */
function print(what, figures) {
  process.stdout.write(`${what}\n`)
  for (const [name, values] of figures) {
    const sorted = values.toSorted((one, other) => one - other)
    const at = (/** @type {number} */ share) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0).padStart(5)
    const line = `median ${at(0.5)} ms   95 % ${at(0.95)} ms   worst ${at(1)} ms   (${values.length})`
    process.stdout.write(`  ${name.padEnd(40)} ${line}\n`)
  }
}

async function untilHealthy() {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server ended')
    const answer = await fetch(`${base}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const free = address !== null && typeof address === 'object' ? address.port : 0
      probe.close(() => resolve(free))
    })
  })
}
