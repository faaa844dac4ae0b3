// Who opens the pages in the benches of the web.
import { signUp } from './slow-browser.mjs'

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>['cookies']} Cookies
 */

const atOnce = 20

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {number} count of tasks that are due today
 * @returns {Promise<Cookies>}
 */
export function personWithTasks(browser, address, count) {
  const now = Date.now()
  return personWith(browser, address, `tasks-${count}`, '/api/todos', count, (place) => ({
    title: `Task ${place}`,
    completed: 0,
    due_day: dayOf(now),
    at: new Date(now - 60_000 * (place + 1)).toISOString(),
  }))
}

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {number} count of habits of every day
 * @returns {Promise<Cookies>}
 */
export function personWithHabits(browser, address, count) {
  const start = dayOf(Date.now() - 30 * 86_400_000)
  return personWith(browser, address, `habits-${count}`, '/api/habits', count, (place) => ({
    name: `Habit ${place}`,
    start_date: start,
  }))
}

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {string} name
 * @param {string} path to which each of what they have is sent
 * @param {number} count
 * @param {(place: number) => object} one
 * @returns {Promise<Cookies>}
 */
async function personWith(browser, address, name, path, count, one) {
  const context = await signUp(browser, name, address)
  const all = Array.from({ length: count }, (_, place) => one(place))
  for (let next = 0; next < count; next += atOnce) {
    const responses = await Promise.all(
      all.slice(next, next + atOnce).map((data) => context.request.post(path, { data })),
    )
    const refused = responses.find((response) => !response.ok())
    if (refused) throw new Error(await refused.text())
  }
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
}

/** @param {number} instant */
function dayOf(instant) {
  return new Date(instant).toISOString().slice(0, 10)
}
