// Attacks by tasks that repeat.

import { sumUp } from '../../src/features/todos/repeat/history/server/occurrence-store.ts'
import { addDays, firstChoosable } from '../../src/platform/calendar/day.ts'
import { addAttacker, addRows, addTodos } from './accounts.mjs'
import { declare } from './attack.mjs'
import { address, listsAfterChanges, today, toggle } from './requests.mjs'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {import('../../src/features/todos/repeat/rule/repeat-rule.ts').DueRule} DueRule */

const first = /** @type {import('./requests.mjs').Day} */ (firstChoosable)
/** @type {DueRule} */
const daily = { freq: 'day', every: 1, mode: 'due', from: first }
/** @type {DueRule} */
const monthly = {
  freq: 'month',
  every: 1,
  days: [31],
  mode: 'due',
  times: 999,
  from: addDays(first, 30),
}

const monthly300 = declare({
  name: '300 to-dos monthly on the 31st from 1900, times 999',
  prepare: (database, name) => addRepeating(database, name, 300, monthly),
  attack: listsAfterChanges,
})

const monthly2000 = declare({
  name: '2,000 to-dos monthly on the 31st from 1900, times 999',
  prepare: (database, name) => addRepeating(database, name, 2_000, monthly),
  attack: listsAfterChanges,
})

const daily30000 = declare({
  name: '30,000 to-dos every day from 1900',
  prepare: (database, name) => addRepeating(database, name, 30_000, daily),
  attack: listsAfterChanges,
})

const longNotes = declare({
  name: '5,000 repeating to-dos with notes of 10,000 letters',
  prepare: (database, name) => addRepeating(database, name, 5_000, daily, 'x'.repeat(10_000)),
  attack: listsAfterChanges,
})

/** The most occurrences that can be settled ahead. */
const ahead = 349

const settledDays = declare({
  name: 'a to-do with every day settled since 1900: 46,000',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const [todo = ''] = await addTodos(database, user, 1, 20, columnsOf(daily))
    const settled = []
    for (let day = first; day <= addDays(today, ahead); day = addDays(day, 1)) {
      // Left open, so that it can be ticked.
      if (day === today) continue
      const state = day < today ? 'done' : 'skipped'
      settled.push({
        todo_id: todo,
        day,
        state,
        done_on: day,
        changed_at: 1,
        moved_to: null,
        moved_at: 0,
        import_id: null,
        imported_at: null,
      })
    }
    await addRows(database, user, 'todo_days', settled)
    await sumUpEarlier(database, user, todo, settled.filter(({ state }) => state === 'done').length)
    return { cookie, todo }
  },
  attack: (siege, { cookie, todo }) =>
    siege.keepAsking(10, (_connection, turn) => {
      if (turn % 3 === 0) return toggle(cookie, todo, turn % 2 === 0)
      if (turn % 3 === 1) return { path: '/api/todos', cookie, address }
      const range = `from=${addDays(today, -3_650)}&to=${today}`
      return { path: `/api/todos/${todo}/days?${range}`, cookie, address }
    }),
})

export const repeats = [monthly300, monthly2000, daily30000, longNotes, settledDays]

/**
 * @param {Database} database
 * @param {string} name
 * @param {number} count
 * @param {DueRule} rule
 */
async function addRepeating(database, name, count, rule, note = '') {
  const { user, cookie } = await addAttacker(database, name)
  return { cookie, todos: await addTodos(database, user, count, 20, { ...columnsOf(rule), note }) }
}

/** @param {DueRule} rule */
function columnsOf(rule) {
  return { repeat: JSON.stringify(rule), due_day: rule.from }
}

/**
 * As whoever settles one occurrence after another leaves the row of the task.
 * @param {Database} database
 * @param {string} user
 * @param {string} todo
 * @param {number} done
 */
async function sumUpEarlier(database, user, todo, done) {
  await database.writeFor(user, [], async (tx) => {
    const its = tx.selectFrom('todos').selectAll().where('user_id', '=', user).where('id', '=', todo)
    const sum = await sumUp(tx, await its.executeTakeFirstOrThrow(), daily, { day: undefined, today })
    await tx
      .updateTable('todos')
      .set({ ...sum, times_done: done })
      .where('user_id', '=', user)
      .where('id', '=', todo)
      .execute()
  })
}
