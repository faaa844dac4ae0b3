// What moving in costs in Chromium at a quarter of its speed, page and worker alike: 5,000 tasks of Todoist, and 20 habits of five
// years of HabitKit. Prints the time from choosing the file to its preview, and from pressing Import to the result; meanwhile the
// person is on the list of tasks and adds some: how long each took to be shown, the longest time that the page answered nothing,
// and the longest request for the list. The promises: 10 s for both of the tasks together, 8 s for the habits, and no 200 ms without an
// answer. The server runs at full speed, within its limits.
// `node bench/screens/imports-web.mjs [rounds]`
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { note, print } from '../web/measurements.mjs'
import { newContext, signUp, withBrowser } from '../web/slow-browser.mjs'
import { pageProcesses, slowDown } from '../web/slowed-pages.mjs'

const rounds = Number(process.argv[2] ?? 3)
const mostTime = { tasks: 10_000, habits: 8_000 }
const mostWait = 250
const longestFrame = 200

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

await withBrowser(
  async (browser) => {
    for (let round = 0; round < rounds; round += 1) {
      await measure(browser, `tasks-${round}`, '5,000 tasks', tasks(), mostTime.tasks)
      await measure(browser, `habits-${round}`, '20 habits', habits(), mostTime.habits)
    }
  },
  { limited: true },
)
print('imports-web', rounds)

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} mailbox
 * @param {string} what
 * @param {string} content
 * @param {number} most the promise for all of it, in milliseconds
 */
async function measure(browser, mailbox, what, content, most) {
  const path = join(folder, mailbox)
  writeFileSync(path, content)
  const signedUp = await signUp(browser, mailbox)
  const { cookies } = await signedUp.storageState()
  await signedUp.close()
  const context = await newContext(browser, cookies)
  const page = await context.newPage()
  await page.goto('/settings')
  const input = page.getByRole('region', { name: 'Your data' }).locator('input[type=file]')
  await input.waitFor({ state: 'attached' })
  await page.evaluate(watch)
  const measuring = new AbortController()
  const requests = watchRequests(page)
  const slowed = slowDown(await pageProcesses(browser), measuring.signal)

  const chosen = performance.now()
  await input.setInputFiles(path)
  const start = page.getByRole('region', { name: /^Import from/ }).getByRole('button', { name: /^Import \d/ })
  await start.waitFor({ timeout: 60_000 })
  const previewed = performance.now()
  note(`${what}: until the preview`, 'ms', undefined, previewed - chosen)
  noteParts(`${what}, comparing`, requests('/api/import/preview'), chosen, previewed)
  note(`${what}: no answer meanwhile`, 'ms', longestFrame, await gapOf(page))

  page.on('requestfinished', (request) => {
    if (!request.url().includes('/api/todos?')) return
    note(`${what}: the list waited`, 'ms', mostWait, request.timing().responseEnd)
  })
  await start.click()
  const pressed = performance.now()
  await page.getByRole('link', { name: 'Todos', exact: true }).click()
  await page.getByPlaceholder('Add a new task...').click()
  note(`${what}: until the list is there`, 'ms', undefined, performance.now() - pressed)
  note(`${what}: no answer on the way there`, 'ms', undefined, await gapOf(page))
  // Asked of the page in few words: to look for roles among thousands of rows would be what slows it down.
  const finished = timeOf(page, '[data-sonner-toast]')
  let isOver = false
  const over = finished.then((time) => {
    isOver = true
    noteParts(`${what}, writing`, requests('/api/import'), pressed, performance.now())
    note(`${what}: until it is written`, 'ms', undefined, time)
    note(`${what}: in all`, 'ms', most, time + previewed - chosen)
  })
  for (let nth = 0; !isOver; nth += 1) {
    await page.keyboard.type(`Mine ${nth}`)
    const shown = timeOf(page, `[aria-label="Mine ${nth}"]`)
    await page.keyboard.press('Enter')
    note(`${what}: a task added meanwhile`, 'ms', mostWait, await shown)
    await page.waitForTimeout(2_000)
  }
  await over
  note(`${what}: no answer while writing`, 'ms', longestFrame, await gapOf(page))
  measuring.abort()
  await slowed
  await context.close()
}

/**
 * The requests of a page by their path, with the instants at which each was sent and answered.
 * @param {import('@playwright/test').Page} page
 */
function watchRequests(page) {
  /** @type {Map<import('@playwright/test').Request, { path: string, sent: number, answered: number }>} */
  const all = new Map()
  page.on('request', (request) => {
    const sent = performance.now()
    all.set(request, { path: new URL(request.url()).pathname, sent, answered: sent })
  })
  page.on('response', (response) => {
    const of = all.get(response.request())
    if (of) of.answered = performance.now()
  })
  return (/** @type {string} */ path) => [...all.values()].filter((each) => each.path === path)
}

/**
 * What a step of an import consists of: until its first request, while at least one waits for the server, between them, and after the
 * last.
 * @param {string} step
 * @param {readonly { sent: number, answered: number }[]} requests
 * @param {number} begun
 * @param {number} ended
 */
function noteParts(step, requests, begun, ended) {
  let [waited, answered] = [0, begun]
  for (const each of requests) {
    waited += Math.max(0, each.answered - Math.max(each.sent, answered))
    answered = Math.max(answered, each.answered)
  }
  const first = requests[0]?.sent ?? begun
  note(`${step}: until its first request`, 'ms', undefined, first - begun)
  note(`${step}: requests`, '', undefined, requests.length)
  note(`${step}: waiting for the server`, 'ms', undefined, waited)
  note(`${step}: the page between them`, 'ms', undefined, answered - first - waited)
  note(`${step}: after the last`, 'ms', undefined, ended - answered)
}

/** Runs in the page: the longest time without a turn for anything else. */
function watch() {
  Object.assign(window, { gap: 0 })
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    Object.assign(window, { gap: Math.max(/** @type {any} */ (window).gap, now - last) })
    last = now
  }, 10)
}

/**
 * Milliseconds until the page has it.
 * @param {import('@playwright/test').Page} page
 * @param {string} selector
 */
function timeOf(page, selector) {
  return page.evaluate(
    (selector) =>
      new Promise((/** @type {(time: number) => void} */ resolve) => {
        const asked = performance.now()
        const looking = setInterval(() => {
          if (!document.querySelector(selector)) return
          clearInterval(looking)
          resolve(performance.now() - asked)
        }, 20)
      }),
    selector,
  )
}

/** Since it was asked for the last time. */
function gapOf(/** @type {import('@playwright/test').Page} */ page) {
  return page.evaluate(() => {
    const { gap } = /** @type {any} */ (window)
    Object.assign(window, { gap: 0 })
    return gap
  })
}

function tasks() {
  const header = 'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE'
  const rows = Array.from({ length: 5_000 }, (_, nth) => {
    const note = nth % 5 === 0 ? 'Some words about it. '.repeat(10) : ''
    const date = nth % 7 === 0 ? 'every 3 days' : ''
    const indent = nth % 3 === 2 ? 2 : 1
    return `task,Task number ${nth} of those that moved in @moved,${note},${1 + (nth % 4)},${indent},Maren (1),,${date},en,UTC`
  })
  return [header, ...rows].join('\n')
}

function habits() {
  const all = Array.from({ length: 20 }, (_, nth) => ({
    id: `${nth}`,
    name: `Habit ${nth}`,
    orderIndex: nth,
  }))
  const today = Date.now()
  const completions = all.flatMap(({ id }) =>
    Array.from({ length: 1_826 }, (_, ago) => ({
      id: `${id}-${ago}`,
      habitId: id,
      timezoneOffsetInMinutes: 0,
      amountOfCompletions: 1,
      date: new Date(today - ago * 86_400_000).toISOString(),
    })),
  )
  return JSON.stringify({ habits: all, completions, intervals: [] })
}
