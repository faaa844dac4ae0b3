// Who opens the pages in the benches of the web.
import { randomUUIDv7 } from 'node:crypto'
import { signInElsewhere, signUp } from './slow-browser.mjs'

/**
 * @typedef {import('@playwright/test').Browser} Browser
 * @typedef {Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>['cookies']} Cookies
 */

const atOnce = 20
const importedAtOnce = 200
const day = 86_400_000

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {number} count of tasks that are due today
 * @param {object} [preferences]
 * @returns {Promise<Cookies>}
 */
export function personWithTasks(browser, address, count, preferences) {
  const now = Date.now()
  const rows = Array.from({ length: count }, (_, place) => ({
    ...rowOf(`Task ${place}`, now - 60_000 * (place + 1)),
    due_day: dayOf(now),
  }))
  return personWithRows(browser, address, nameWithTasks(count), rows, preferences)
}

/**
 * Another device of the person with so many tasks, without a browser.
 * @param {string} address
 * @param {number} count
 */
export async function otherDeviceOf(address, count) {
  return { address, cookie: await signInElsewhere(nameWithTasks(count), address) }
}

/** @param {number} count */
function nameWithTasks(count) {
  return `tasks-${count}`
}

/**
 * Somebody with open to-dos, and others completed over ten years, the last one yesterday.
 * @param {Browser} browser
 * @param {string} address
 * @param {{ open: number, all: number }} counts
 * @returns {Promise<Cookies>}
 */
export function personOfTenYears(browser, address, { open, all }) {
  const now = Date.now()
  const rows = Array.from({ length: all }, (_, place) => {
    const title = `Task ${place} of somebody who has been here for long`
    if (place < open) return rowOf(title, now - place * 60_000)
    const done = now - day - ((place - open) / (all - open)) * 3_650 * day
    return {
      ...rowOf(title, done),
      completed: 1,
      completed_at: new Date(done).toISOString(),
      completed_on: dayOf(done),
    }
  })
  return personWithRows(browser, address, `ten-years-${all}`, rows)
}

/**
 * @param {string} title
 * @param {number} instant of its creation and last change
 */
function rowOf(title, instant) {
  const at = new Date(instant).toISOString()
  const open = { completed: 0, completed_at: null, completed_on: null }
  return { id: randomUUIDv7(), title, ...open, created_at: at, updated_at: at }
}

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {string} name
 * @param {readonly object[]} rows
 * @param {object} [preferences]
 * @returns {Promise<Cookies>}
 */
async function personWithRows(browser, address, name, rows, preferences) {
  const context = await signUp(browser, name, address)
  const refuse = async (/** @type {import('@playwright/test').APIResponse} */ response) => {
    if (!response.ok()) throw new Error(await response.text())
  }
  for (let next = 0; next < rows.length; next += importedAtOnce) {
    const data = { todos: rows.slice(next, next + importedAtOnce) }
    await refuse(await context.request.post('/api/import', { data }))
  }
  if (preferences) await refuse(await context.request.patch('/api/preferences', { data: preferences }))
  const { cookies } = await context.storageState()
  await context.close()
  return cookies
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
