// What tasks that come back cost on the screen: 500 of them, done for the last 60 days, beside 500 that do not come back. In
// Chromium on a processor slowed down four times, over 1.6 Mbit/s and 150 ms. The promises are ratios of the two, in the same
// rounds. `node bench/screens/repeating-screen.mjs [rounds]`; the same as JSON in dist/bench/repeating-screen.json.
import { randomUUIDv7 } from 'node:crypto'
import { note, print } from '../web/measurements.mjs'
import { openedTwice } from '../web/opened-twice.mjs'
import { signUp, withBrowser } from '../web/slow-browser.mjs'

const rounds = Number(process.argv[2] ?? 5)
const atOnce = 10
const day = 86_400_000
/** Few come back every day, most every week or month. */
const kinds = [
  { count: 50, days: 1, freq: 'day' },
  { count: 250, days: 7, freq: 'week' },
  { count: 200, days: 30, freq: 'month' },
]

await withBrowser(async (browser) => {
  const once = await personWith(browser, false)
  const repeating = await personWith(browser, true)
  for (let round = 0; round < rounds; round++) {
    // In turns, so that what else the machine does hits both.
    const [one, other] = [await openedTwice(browser, once), await openedTwice(browser, repeating)]
    for (const [name, unit, most] of /** @type {const} */ ([
      ['cold', 'ms', 1.2],
      ['warm', 'ms', 1.2],
      ['memory', 'MB', 1.5],
    ])) {
      note(`${name}: 500 that do not come back`, unit, undefined, one[name])
      note(`${name}: 500 that do`, unit, undefined, other[name])
      note(`${name}: times as much`, '', most, other[name] / one[name])
    }
    note('read: 500 that do not come back', 'KB', undefined, one.read)
    note('read: 500 that do', 'KB', undefined, other.read)
  }
})
print('repeating-screen', rounds)

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {boolean} repeats
 */
async function personWith(browser, repeats) {
  const context = await signUp(browser, repeats ? 'maren-repeating' : 'maren-once')
  const now = Date.now()
  const dayAt = (/** @type {number} */ ago) => new Date(now - ago * day).toISOString().slice(0, 10)
  const todos = kinds.flatMap(({ count, days, freq }) =>
    Array.from({ length: count }, (_, place) => {
      const at = new Date(now - 100 * day - place * 60_000).toISOString()
      const settled = Array.from({ length: Math.floor(60 / days) }, (_, back) => dayAt((back + 1) * days))
      return {
        todo: {
          id: randomUUIDv7(),
          title: `Task ${place} of somebody who has much to do`,
          completed: 0,
          completed_at: null,
          completed_on: null,
          due_day: dayAt(0),
          created_at: at,
          updated_at: at,
          repeat: repeats ? { freq, every: 1, mode: 'due', from: dayAt(60 - (60 % days)) } : null,
        },
        days: settled.map((on) => ({
          day: on,
          state: 'done',
          done_on: on,
          moved_to: null,
          at: `${on}T12:00:00.000Z`,
        })),
      }
    }),
  )
  for (let next = 0; next < todos.length; next += atOnce) {
    const some = todos.slice(next, next + atOnce)
    const todo_days = some.map(({ todo, days }) => ({ todo_id: todo.id, days }))
    const pieces = [{ todos: some.map(({ todo }) => todo) }, ...(repeats ? [{ todo_days }] : [])]
    for (const data of pieces) {
      const response = await context.request.post('/api/import', { data })
      if (!response.ok()) throw new Error(await response.text())
    }
  }
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}
