// Attacks by long lists, long histories and many writes.
import { addDays } from '../../src/platform/calendar/day.ts'
import {
  addAttacker,
  addFocusDays,
  addHabits,
  addLongHabit,
  addTodos,
  deleteTodos,
  takeCompletionsBack,
} from './accounts.mjs'
import { declare } from './attack.mjs'
import {
  address,
  complete,
  habitListsAfterChanges,
  listsAfterChanges,
  newId,
  now,
  ranges,
  today,
  toggle,
} from './requests.mjs'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {import('../../src/platform/calendar/day.ts').Day} Day */
/** @typedef {{ cookie: string, todos: string[], habits: string[] }} Filled */

const longTitle = 490
const sinceEver = { letters: 480, start: '1900-01-01' }

const importsOfHabits = declare({
  name: 'imports of long, old habits without a pause',
  async prepare(database, name) {
    return (await addAttacker(database, name)).cookie
  },
  async attack(siege, cookie) {
    await siege.keepAsking(4, () => {
      // As many as fit in one request.
      const rows = Array.from({ length: 90 }, () => ({
        id: newId(),
        name: 'x'.repeat(sinceEver.letters),
        description: '',
        frequency: 'daily',
        start_date: sinceEver.start,
        reminder: null,
        created_at: now(),
      }))
      return { method: 'POST', path: '/api/import', cookie, address, body: { habits: rows } }
    })
  },
})

const dueOfAYear = declare({
  name: 'what was due in a year, of 1,000 old habits',
  prepare: (database, name) => fill(database, name, { habits: 1_000 }),
  attack: (siege, { cookie }) =>
    siege.keepAsking(10, (connection) => ({ path: duePath(connection), cookie, address })),
})

const habitLists = declare({
  name: 'lists of 1,000 old habits, after a change each',
  prepare: (database, name) => fill(database, name, { habits: 1_000 }),
  attack: habitListsAfterChanges,
})

const unreadDue = declare({
  name: 'thirty who never read what was due',
  prepare: (database, name) => fill(database, name, { habits: 1_000 }),
  attack: (siege, { cookie }) => siege.leaveUnread(30, { path: duePath(0), cookie, address }),
})

const unreadLists = declare({
  name: 'thirty each who never read to-dos, habits, export',
  prepare: (database, name) => fill(database, name, { todos: 20_000, habits: 1_000 }),
  async attack(siege, { cookie }) {
    const paths = ['/api/todos', '/api/habits', '/api/export']
    await Promise.all(paths.map((path) => siege.leaveUnread(30, { path, cookie, address })))
  },
})

const listOf20000 = declare({
  name: 'list of 20,000 long to-dos, after a change each',
  prepare: (database, name) => fill(database, name, { todos: 20_000 }),
  attack: listsAfterChanges,
})

const listOf100000 = declare({
  name: 'list of 100,000 long to-dos, after a change each',
  prepare: (database, name) => fill(database, name, { todos: 100_000 }),
  attack: listsAfterChanges,
})

const oldDays = declare({
  name: 'old days of a habit with 46,000 completions',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    return { cookie, ...(await addLongHabit(database, user, 46_000)) }
  },
  attack: (siege, { cookie, habit, start }) =>
    siege.keepAsking(10, (connection, turn) => {
      const date = addDays(/** @type {Day} */ (start), 1_000 * connection + (turn >> 1))
      return complete(cookie, habit, { date, completed: turn % 2 === 1 })
    }),
})

const deletedTodos = declare({
  name: '125,000 deleted to-dos, read after a change each',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const todos = await addTodos(database, user, 125_000, 40)
    await deleteTodos(database, user)
    return { cookie, todos }
  },
  attack: (siege, { cookie, todos }) =>
    siege.keepAsking(10, (connection, turn) => {
      if (turn % 3 === 0) return toggle(cookie, todos[connection] ?? '', true)
      return { path: turn % 3 === 1 ? '/api/todos' : '/api/export', cookie, address }
    }),
})

const focusDays = declare({
  name: '200,000 days of focus, counted and listed',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    await addFocusDays(database, user, 200_000)
    return { cookie }
  },
  attack: (siege, { cookie }) =>
    siege.keepAsking(10, (connection, turn) => {
      // The task doesn't exist, but everything is read again after this.
      if (turn % 3 === 0) return toggle(cookie, newId(), true)
      const path = turn % 3 === 1 ? '/api/focus/completed' : '/api/focus'
      return { path: `${path}?${ranges[connection % ranges.length]}`, cookie, address }
    }),
})

const takenBackDays = declare({
  name: 'an old day of a habit with 46,000 taken-back days',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const { habit } = await addLongHabit(database, user, 46_000)
    await takeCompletionsBack(database, user)
    return { cookie, habit }
  },
  attack: (siege, { cookie, habit }) =>
    siege.keepAsking(10, (_connection, turn) =>
      complete(cookie, habit, { date: '1950-01-01', completed: turn % 2 === 0 }),
    ),
})

const writes = declare({
  name: 'writes and imports without a pause',
  prepare: (database, name) => fill(database, name, { todos: 100 }),
  attack: (siege, { cookie, todos }) =>
    siege.keepAsking(32, (connection, turn) => {
      if (turn % 8 === 7) {
        const rows = Array.from({ length: 85 }, () => ({
          id: newId(),
          title: 'x'.repeat(longTitle),
          completed: 0,
          completed_at: null,
          completed_on: null,
          created_at: now(),
          updated_at: now(),
        }))
        return { method: 'POST', path: '/api/import', cookie, address, body: { todos: rows } }
      }
      if (turn % 2 === 0) return toggle(cookie, todos[connection] ?? '', turn % 4 === 0)
      const body = { title: 'x'.repeat(longTitle), completed: 0 }
      return { method: 'POST', path: '/api/todos', cookie, address, body }
    }),
})

const hangUps = declare({
  name: 'those who ask for much and hang up',
  prepare: (database, name) => fill(database, name, { todos: 20_000, habits: 1_000 }),
  async attack(siege, { cookie, todos }) {
    const paths = [
      '/api/todos',
      duePath(0),
      '/api/habits',
      '/api/export',
      `/api/habits/completed?${ranges[0]}`,
    ]
    await Promise.all([
      siege.hangUp(10, (turn) => ({ path: paths[turn % paths.length] ?? '', cookie, address })),
      // So that nothing is served from the cache.
      siege.keepAsking(1, (_connection, turn) => toggle(cookie, todos[0] ?? '', turn % 2 === 0)),
    ])
  },
})

const searches = declare({
  name: 'search of 100,000 completed to-dos that all lack the word',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const completedOn = Array.from({ length: 100 }, (_, ago) => addDays(today, -7 * ago))
    for (const day of completedOn) {
      const at = Date.parse(day)
      await addTodos(database, user, 1_000, longTitle, {
        completed: 1,
        completed_on: day,
        completed_at: at,
        note: 'x'.repeat(1_000),
      })
    }
    return { cookie }
  },
  attack: (siege, { cookie }) =>
    siege.keepAsking(10, (connection, turn) => {
      const path = `/api/todos/completed?range=all&search=missing-${connection}-${turn}`
      return { path, cookie, address }
    }),
})

export const longLists = [
  importsOfHabits,
  dueOfAYear,
  habitLists,
  unreadDue,
  unreadLists,
  listOf20000,
  listOf100000,
  oldDays,
  deletedTodos,
  focusDays,
  takenBackDays,
  writes,
  hangUps,
  searches,
]

/**
 * @param {Database} database
 * @param {string} name
 * @param {{ todos?: number, habits?: number }} lists
 * @returns {Promise<Filled>}
 */
async function fill(database, name, { todos = 0, habits = 0 }) {
  const { user, cookie } = await addAttacker(database, name)
  return {
    cookie,
    todos: todos > 0 ? await addTodos(database, user, todos, longTitle) : [],
    habits: habits > 0 ? await addHabits(database, user, habits, sinceEver) : [],
  }
}

/** @param {number} connection */
function duePath(connection) {
  return `/api/habits/due?${ranges[connection % ranges.length]}`
}
