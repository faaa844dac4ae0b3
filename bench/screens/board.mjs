// What it costs to put tasks into order among 5,000 of them, beside 50: a row is dragged by its grip and the page is scrolled
// by wheel, over the same distance, in Chromium on a processor slowed down four times. Counts the frames of over 50 ms, until
// everything that follows is drawn. The promise: no more of them with 5,000, in the same rounds.
// `node bench/screens/board.mjs [rounds]`; the same as JSON in dist/bench/board.json.
import { note, print } from '../web/measurements.mjs'
import { personWithTasks } from '../web/people.mjs'
import { base, newContext, openUsable, slowPage, withBrowser } from '../web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 5)
const few = 50
const many = 5_000
const long = 50
/** As far as 50 rows can be scrolled. */
const distance = 1_000

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>['cookies']} Cookies
 */

await withBrowser(async (browser) => {
  const manual = { todos_sort: 'manual' }
  const people = {
    [few]: await personWithTasks(browser, base, few, manual),
    [many]: await personWithTasks(browser, base, many, manual),
  }
  for (let round = 0; round < rounds; round++) {
    // In turns, so that what else the machine does hits both.
    const one = await measure(browser, people[few] ?? [])
    const other = await measure(browser, people[many] ?? [])
    for (const what of /** @type {const} */ (['drag', 'scroll'])) {
      for (const [rows, frames] of /** @type {const} */ ([
        [few, one[what]],
        [many, other[what]],
      ])) {
        note(`${what}, ${rows} rows: frames over ${long} ms`, '', undefined, longOf(frames))
        for (const frame of frames) note(`${what}, ${rows} rows: a frame`, 'ms', undefined, frame)
        note(`${what}, ${rows} rows: the longest frame`, 'ms', undefined, Math.max(...frames))
      }
      note(`${what}: how many more with ${many}`, '', 0, longOf(other[what]) - longOf(one[what]))
    }
  }
})
print('board', rounds)

/** @param {readonly number[]} frames */
function longOf(frames) {
  return frames.filter((frame) => frame > long).length
}

/**
 * @param {Browser} browser
 * @param {Cookies} cookies
 */
async function measure(browser, cookies) {
  const context = await newContext(browser, cookies)
  const page = await slowPage(context)
  await openUsable(page, '/todos')
  await page.locator('main [draggable=true]').waitFor({ state: 'attached' })
  const scroll = await framesDuring(page, () => scrollByWheel(page))
  const drag = await framesDuring(page, () => dragDown(page))
  await context.close()
  return { scroll, drag }
}

/**
 * How many milliseconds each frame took.
 * @param {Page} page
 * @param {() => Promise<void>} act
 * @returns {Promise<number[]>}
 */
async function framesDuring(page, act) {
  await page.evaluate(() => {
    /** @type {number[]} */
    const frames = []
    let last = performance.now()
    let next = requestAnimationFrame(function frame(now) {
      frames.push(now - last)
      last = now
      next = requestAnimationFrame(frame)
    })
    Object.assign(window, {
      endFrames() {
        cancelAnimationFrame(next)
        return frames
      },
    })
  })
  await act()
  await page.waitForTimeout(1_000)
  return page.evaluate('endFrames()')
}

/** Down and up again, a notch at a time. */
async function scrollByWheel(/** @type {Page} */ page) {
  await page.mouse.move(700, 500)
  for (const notch of [100, -100]) {
    for (let scrolled = 0; scrolled < distance; scrolled += 100) {
      await page.mouse.wheel(0, notch)
      await page.waitForTimeout(50)
    }
  }
}

/** From the third row to the bottom of the window, where the page scrolls beneath the row, and drops it there. */
async function dragDown(/** @type {Page} */ page) {
  const row = await boxOf(page, 'ul[aria-label="Open tasks"] > li:nth-child(3)')
  await page.mouse.move(row.x + 60, row.y + row.height / 2)
  const grip = await boxOf(page, 'main [draggable=true]')
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
  await page.mouse.down()
  const bottom = 790
  for (let y = grip.y; y < bottom; y += 10) await page.mouse.move(grip.x + 40, y)
  for (let waited = 0; waited < 50; waited++) {
    await page.mouse.move(grip.x + 40 + (waited % 2), bottom)
    await page.waitForTimeout(20)
  }
  if (!(await isDragging(page))) throw new Error('no row is dragged')
  await page.mouse.up()
  while (await isDragging(page)) await page.waitForTimeout(50)
}

/** @param {Page} page */
function isDragging(page) {
  return page.evaluate(() => document.querySelector('main li[data-dragged]') !== null)
}

/**
 * Asks the browser itself: a locator goes through every element of the page, which among many rows would be a long frame of
 * its own.
 * @param {Page} page
 * @param {string} selector
 */
async function boxOf(page, selector) {
  const box = await page.evaluate((selector) => {
    const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    return { x, y, width, height }
  }, selector)
  if (box.height === 0) throw new Error(`${selector} has no place`)
  return box
}
