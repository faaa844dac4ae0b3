// What ten years of to-dos cost: 36,500 of them, 200 open, beside somebody who has those 200 and no others. In Chromium on a
// processor slowed down four times, over 1.6 Mbit/s and 150 ms: the time until the to-do screen is usable, what it reads, and
// what the page keeps in memory. The promises are ratios of the two, in the same rounds.
// `node bench/screens/ten-years.mjs [rounds]`; the same as JSON in dist/bench/ten-years.json.
import { randomUUIDv7 } from 'node:crypto'
import { note, print } from '../web/measurements.mjs'
import { openedTwice } from '../web/opened-twice.mjs'
import { signUp, withBrowser } from '../web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 5)
const open = 200
const all = 36_500
const atOnce = 200
const day = 86_400_000

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>['cookies']} Cookies
 */

await withBrowser(async (browser) => {
  const few = await personWith(browser, open)
  const many = await personWith(browser, all)
  for (let round = 0; round < rounds; round++) {
    // In turns, so that what else the machine does hits both.
    const [one, other] = [await openedTwice(browser, few), await openedTwice(browser, many)]
    for (const [name, unit, most] of /** @type {const} */ ([
      ['cold', 'ms', 1.2],
      ['warm', 'ms', 1.2],
      ['memory', 'MB', 1.5],
    ])) {
      note(`${name}: ${open} to-dos`, unit, undefined, one[name])
      note(`${name}: ${all} to-dos, ${open} open`, unit, undefined, other[name])
      note(`${name}: times as much`, '', most, other[name] / one[name])
    }
    note(`read: ${open} to-dos`, 'KB', undefined, one.read)
    note(`read: ${all} to-dos, ${open} open`, 'KB', 100, other.read)
  }
})
print('ten-years', rounds)

/**
 * Somebody with 200 open to-dos, and the others completed over ten years, the last one yesterday.
 * @param {Browser} browser
 * @param {number} todos
 * @returns {Promise<Cookies>}
 */
async function personWith(browser, todos) {
  const context = await signUp(browser, `maren-${todos}`)
  const now = Date.now()
  const completed = todos - open
  const rows = Array.from({ length: todos }, (_, place) => {
    const isOpen = place < open
    const at = isOpen ? now - place * 60_000 : now - day - ((place - open) / completed) * 3_650 * day
    const instant = new Date(at).toISOString()
    return {
      id: randomUUIDv7(),
      title: `Task ${place} of somebody who has been here for long`,
      completed: isOpen ? 0 : 1,
      completed_at: isOpen ? null : instant,
      completed_on: isOpen ? null : instant.slice(0, 10),
      created_at: instant,
      updated_at: instant,
    }
  })
  for (let next = 0; next < todos; next += atOnce) {
    const data = { todos: rows.slice(next, next + atOnce) }
    const response = await context.request.post('/api/import', { data })
    if (!response.ok()) throw new Error(await response.text())
  }
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}
