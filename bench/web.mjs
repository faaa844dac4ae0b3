// What Daymark costs in Chromium on a processor slowed down four times, over 1.6 Mbit/s and 150 ms: the time until the
// landing page, the to-do list and the page of the day are there, and from a click to the paint that shows the task done. The promises are
// next to the results, which are medians over the rounds. `node bench/web.mjs [rounds]`; the same as JSON in
// dist/bench/web.json.
import { note, print } from './web/measurements.mjs'
import {
  base,
  newContext,
  seenBy,
  signUp,
  slowPage,
  untilStored,
  usable,
  withBrowser,
} from './web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 5)
const few = 20
const many = 1_000
const toggles = 5

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').BrowserContext} Context
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {Awaited<ReturnType<Context['storageState']>>['cookies']} Cookies
 */

await withBrowser(async (browser) => {
  const withFew = await personWith(browser, few)
  const withMany = await personWith(browser, many)
  for (let round = 0; round < rounds; round++) {
    await measureLanding(browser)
    await measureScreens(browser, withFew)
    await measureFewTodos(browser, withFew)
    await measureManyTodos(browser, withMany)
  }
})
print('web', rounds)

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
 * The same tasks on both screens, one after the other: whoever starts with Today waits no longer.
 * @param {Browser} browser
 * @param {Cookies} cookies
 */
async function measureScreens(browser, cookies) {
  const todos = await measureScreen(browser, cookies, { name: 'to-dos', path: '/todos', script: 160 })
  const today = await measureScreen(browser, cookies, { name: 'today', path: '/today', script: 168 })
  note('today beside to-dos, cold: usable', '', 1, today.cold / todos.cold)
  note('today beside to-dos, warm: usable', '', 1, today.warm / todos.warm)
}

/**
 * @param {Browser} browser
 * @param {Cookies} cookies
 * @param {{ name: string, path: string, script: number }} screen its script in KB at most
 * @returns {Promise<{ cold: number, warm: number }>} until it was usable
 */
async function measureScreen(browser, cookies, { name, path, script }) {
  const context = await newContext(browser, cookies)
  const cold = await slowPage(context)
  await cold.goto(path)
  await usable(cold)
  const seen = await seenBy(cold)
  note(`${name}, cold: usable`, 'ms', 2_500, seen.usable)
  note(`${name}, cold: blocking time`, 'ms', undefined, seen.blocking)
  note(`${name}, cold: layout shift`, '', 0, seen.shift)
  note(`${name}, cold: script`, 'KB', script, seen.script)
  note(`${name}, cold: styles`, 'KB', 20, seen.styles)
  note(`${name}, cold: fonts`, 'KB', 60, seen.fonts)
  await untilStored(cold)
  await cold.close()

  const warm = await slowPage(context)
  await warm.goto(path)
  await usable(warm)
  const again = await seenBy(warm)
  note(`${name}, warm: usable`, 'ms', 1_000, again.usable)
  note(`${name}, warm: blocking time`, 'ms', undefined, again.blocking)
  note(`${name}, warm: layout shift`, '', 0, again.shift)
  await context.close()
  return { cold: seen.usable, warm: again.usable }
}

/**
 * @param {Browser} browser
 * @param {Cookies} cookies
 */
async function measureFewTodos(browser, cookies) {
  const context = await newContext(browser, cookies)
  const page = await slowPage(context)
  await page.goto('/todos')
  await usable(page)
  await measureToggles(page, few, 50)
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

/** @param {Page} page */
async function settled(page) {
  await page.waitForLoadState('load')
  await page.waitForTimeout(2_000)
}

/**
 * @param {Browser} browser
 * @param {number} todos
 * @returns {Promise<Cookies>}
 */
async function personWith(browser, todos) {
  const context = await signUp(browser, `maren-${todos}`)
  const now = Date.now()
  const titles = Array.from({ length: todos }, (_, place) => `Task ${place}`)
  for (let next = 0; next < todos; next += 20) {
    const answers = await Promise.all(
      titles.slice(next, next + 20).map((title, place) =>
        context.request.post('/api/todos', {
          data: {
            ...{ title, completed: 0, due_day: new Date(now).toISOString().slice(0, 10) },
            at: new Date(now - 60_000 * (next + place + 1)).toISOString(),
          },
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
