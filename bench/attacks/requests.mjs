// Requests that several attacks send.
import { randomBytes } from 'node:crypto'
import { addDays, instantToWire } from '../../src/platform/calendar/day.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'

/** @typedef {import('../../src/platform/calendar/day.ts').Day} Day */
/** @typedef {import('./siege.mjs').Siege} Siege */
/** @typedef {import('./siege.mjs').Asked} Asked */

/** Where attackers come from, as a proxy would report. */
export const address = '198.51.100.7'
export const today = /** @type {Day} */ (instantToWire(Date.now()).slice(0, 10))

/** The longest first; if a server rejects it, the others are still requested. */
export const ranges = [366, 92, 31].map((days) => `from=${addDays(today, 1 - days)}&to=${today}`)

/** A change to one of the tasks and the list of all of them, in turns. @param {Siege} siege @param {{ cookie: string, todos: string[] }} target */
export function listsAfterChanges(siege, { cookie, todos }) {
  return siege.keepAsking(10, (connection, turn) =>
    turn % 2 === 0
      ? toggle(cookie, todos[connection % todos.length] ?? '', turn % 4 === 0)
      : { path: '/api/todos', cookie, address },
  )
}

/** A change to one of the habits, the list of all, and what was done in a year. @param {Siege} siege @param {{ cookie: string, habits: string[] }} target */
export function habitListsAfterChanges(siege, { cookie, habits }) {
  return siege.keepAsking(10, (connection, turn) => {
    if (turn % 3 === 0)
      return complete(cookie, habits[connection % habits.length] ?? '', { completed: turn % 2 === 0 })
    const path = turn % 3 === 1 ? '/api/habits' : `/api/habits/completed?${ranges[0]}`
    return { path, cookie, address }
  })
}

/** @param {string} cookie @param {string} todo @param {boolean} completed @returns {Asked} */
export function toggle(cookie, todo, completed) {
  const body = { completed: completed ? 1 : 0 }
  return { method: 'PUT', path: `/api/todos/${todo}`, cookie, address, body }
}

/** @param {string} cookie @param {string} habit @param {object} body @returns {Asked} */
export function complete(cookie, habit, body) {
  return { method: 'POST', path: `/api/habits/${habit}/complete`, cookie, address, body }
}

export function newId() {
  return newRowId(Date.now(), randomBytes(10))
}

export function now() {
  return instantToWire(Date.now())
}
