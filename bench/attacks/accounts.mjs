// Attackers' accounts, filled directly in the database. Filling them over HTTP would measure that too, and a server
// that limits it would be spared the attack.
import { randomBytes } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import { sql } from 'kysely'
import { todoRows } from '../../src/features/todos/todo/server/todo-rows.ts'
import { addDays, instantToWire } from '../../src/platform/calendar/day.ts'
import { instantForAuth } from '../../src/platform/database/auth-values.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { addPerson, addSession } from '../server/people.mjs'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {Parameters<Parameters<Database['write']>[0]>[0]} Tx */
/** @typedef {import('../../src/platform/calendar/day.ts').Day} Day */
/** @typedef {keyof import('../../src/platform/database/tables.ts').Tables} Table */

export const password = 'correct horse battery'
/** How many IDs of tasks and habits an attacker remembers, to change them. */
const remembered = 200
const rowsAtOnce = 10_000

/** @type {Promise<string> | undefined} */
let hash

/**
 * A person with a password and nothing else, signed in on this many devices.
 * @param {Database} database
 * @param {string} name
 */
export async function addAttacker(database, name, devices = 1) {
  const { user, cookie } = await addPerson(database, name, {})
  const cookies = [cookie]
  while (cookies.length < devices) cookies.push(await addSession(database, user))
  hash ??= hashPassword(password)
  const at = instantForAuth(database.engine, Date.now())
  await database.auth
    .insertInto('account')
    .values({
      id: newRowId(Date.now(), randomBytes(10)),
      accountId: user,
      providerId: 'credential',
      userId: user,
      accessToken: null,
      refreshToken: null,
      idToken: null,
      scope: null,
      password: await hash,
      accessTokenExpiresAt: null,
      refreshTokenExpiresAt: null,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  return { user, cookie, cookies, email: `${user}@example.org` }
}

/**
 * @param {Database} database
 * @param {string} user
 * @param {number} count
 * @param {number} letters in each title
 * @param {Partial<import('../../src/platform/database/tables.ts').Tables['todos']>} others columns of each task. No alarm is
 *   set for what it is reminded of.
 * @returns {Promise<string[]>} some of their IDs
 */
export async function addTodos(database, user, count, letters, others = {}) {
  const now = Date.now()
  const ids = newIds(count)
  const row = {
    ...todoRows.newRow(user, ids[0] ?? '', { title: 'x'.repeat(letters) }, now),
    ...others,
  }
  await database.writeFor(user, [], async (tx) => {
    await tx.insertInto('todos').values(row).execute()
    await copyRow(database, tx, 'todos', row, 'id', ids.slice(1))
  })
  return ids.slice(0, remembered)
}

/**
 * @param {Database} database
 * @param {string} user
 * @param {number} count
 * @param {{ letters: number, start: string, target?: object | 'yes' }} wishes
 * @returns {Promise<string[]>} some of their IDs
 */
export async function addHabits(database, user, count, { letters, start, target = 'yes' }) {
  const now = Date.now()
  const ids = newIds(count)
  const row = {
    user_id: user,
    id: ids[0] ?? '',
    name: 'x'.repeat(letters),
    name_at: now,
    description: '',
    description_at: now,
    position_at: now,
    archive_changed_at: now,
    start_day: /** @type {Day} */ (start),
    start_at: now,
    first_entry_day: null,
    earlier_name: null,
    earlier_from: null,
    earlier_sum: null,
    reminder_time: null,
    reminder_weekdays: null,
    reminder_changed_at: now,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    deletion_changed_at: now,
  }
  await database.writeFor(user, [], async (tx) => {
    await tx.insertInto('habits').values(row).execute()
    await copyRow(database, tx, 'habits', row, 'id', ids.slice(1))
    const daily = {
      from_day: row.start_day,
      rhythm: '{"every":1}',
      rhythm_at: now,
      target: JSON.stringify(target),
      target_at: now,
    }
    const rhythm = { user_id: user, habit_id: row.id, ...daily }
    await tx.insertInto('rhythms').values(rhythm).execute()
    await copyRow(database, tx, 'rhythms', rhythm, 'habit_id', ids.slice(1))
  })
  return ids.slice(0, remembered)
}

/**
 * A habit that was done on each of this many days up to yesterday.
 * @param {Database} database
 * @param {string} user
 * @param {number} count
 */
export async function addLongHabit(database, user, count) {
  const today = /** @type {Day} */ (instantToWire(Date.now()).slice(0, 10))
  const start = addDays(today, -count)
  const [habit = ''] = await addHabits(database, user, 1, { letters: 20, start })
  const row = { user_id: user, habit_id: habit, day: start, done: /** @type {const} */ (1), changed_at: 1 }
  const days = Array.from({ length: count - 1 }, (_, place) => addDays(start, place + 1))
  await database.writeFor(user, [], async (tx) => {
    await tx.insertInto('completions').values(row).execute()
    await copyRow(database, tx, 'completions', row, 'day', days)
  })
  return { habit, start }
}

/**
 * This many days of focus sessions, two days per session, with a thousand sessions ending on the same day.
 * @param {Database} database
 * @param {string} user
 * @param {number} days
 */
export async function addFocusDays(database, user, days) {
  const today = /** @type {Day} */ (instantToWire(Date.now()).slice(0, 10))
  const ids = newIds(days / 2)
  for (let next = 0; next < ids.length; next += 1_000) {
    const [first = '', ...others] = ids.slice(next, next + 1_000)
    const lastDay = addDays(today, -next / 500)
    const session = {
      user_id: user,
      id: first,
      duration: 120,
      started_at: 0,
      ended_at: Date.parse(lastDay),
      .../** @type {const} */ ({ kind: 'countdown', knows_phases: 1, subject_at: 0, time_at: 0 }),
      ended_on: lastDay,
      created_at: 0,
      updated_at: 0,
      deleted_at: null,
      deletion_changed_at: 0,
    }
    await database.writeFor(user, [], async (tx) => {
      await tx.insertInto('focus_sessions').values(session).execute()
      await copyRow(database, tx, 'focus_sessions', session, 'id', others)
      for (const day of [addDays(lastDay, -1), lastDay]) {
        await sql`
          insert into focus_days (user_id, session_id, day, seconds)
          select user_id, id, ${day}, 60 from focus_sessions where user_id = ${user} and ended_on = ${lastDay}
        `.execute(tx)
      }
    })
  }
}

/** @param {Database} database @param {string} user */
export async function deleteTodos(database, user) {
  const at = Date.now()
  await database.writeFor(user, [], (tx) =>
    tx
      .updateTable('todos')
      .set({ deleted_at: at, deletion_changed_at: at, updated_at: at })
      .where('user_id', '=', user)
      .execute(),
  )
}

/** @param {Database} database @param {string} user */
export async function takeCompletionsBack(database, user) {
  await database.writeFor(user, [], (tx) =>
    tx.updateTable('completions').set({ done: 0, changed_at: 2 }).where('user_id', '=', user).execute(),
  )
}

/**
 * Makes the reminders of all these people's tasks due, each at its own instant.
 * @param {Database} database
 * @param {string[]} users
 */
export async function letRemindersComeDue(database, users) {
  await database.write(async (tx) => {
    for (const user of users) {
      await sql`
        insert into alarms (user_id, kind, row_id, due_at)
        select user_id, 'todo', id, remind_at from todos where user_id = ${user}
      `.execute(tx)
    }
  })
}

/**
 * None of these people is reminded of anything any more.
 * @param {Database} database
 * @param {string[]} users
 */
export async function forgetReminders(database, users) {
  await database.write(async (tx) => {
    await tx.deleteFrom('alarms').where('user_id', 'in', users).execute()
    await tx.deleteFrom('deliveries').where('user_id', 'in', users).execute()
  })
}

/** @param {number} count */
export function newIds(count) {
  return Array.from({ length: count }, (_, place) => newRowId(Date.now() - place, randomBytes(10)))
}

/**
 * Adds rows that differ from one another, with the same columns each, to this person's.
 * @param {Database} database
 * @param {string} user
 * @param {Table} table
 * @param {Record<string, string | number | null>[]} rows
 */
export async function addRows(database, user, table, rows) {
  const columns = Object.keys(rows[0] ?? {})
  const into = sql.join(['user_id', ...columns].map((column) => sql.ref(column)))
  await database.writeFor(user, [], async (tx) => {
    for (let next = 0; next < rows.length; next += rowsAtOnce) {
      const json = JSON.stringify(rows.slice(next, next + rowsAtOnce))
      const values =
        database.engine === 'sqlite'
          ? columns.map((column) => sql`value ->> ${`$.${column}`}`)
          : columns.map((column) => sql.ref(column))
      const all =
        database.engine === 'sqlite'
          ? sql`json_each(${json})`
          : sql`jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)`
      await sql`
        insert into ${sql.table(table)} (${into}) select ${sql.join([user, ...values])} from ${all}
      `.execute(tx)
    }
  })
}

/**
 * Copies the row once for each of these values of a key column. Many go in one statement, because passing the values of
 * 100,000 rows takes longer than storing them, but no more than PostgreSQL stores within its time limit for one.
 * @param {Database} database
 * @param {Tx} tx
 * @param {Table} table
 * @param {Record<string, unknown> & { user_id: string }} row
 * @param {string} key
 * @param {string[]} values
 */
async function copyRow({ engine }, tx, table, row, key, values) {
  const columns = Object.keys(row)
  const copied = columns.map((column) =>
    column === key ? sql.ref('others.value') : sql.ref(`one.${column}`),
  )
  for (let next = 0; next < values.length; next += rowsAtOnce) {
    const json = JSON.stringify(values.slice(next, next + rowsAtOnce))
    const others =
      engine === 'sqlite'
        ? sql`(select value from json_each(${json}))`
        : sql`(select jsonb_array_elements_text(${json}::jsonb) as value)`
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(copied)} from ${sql.table(table)} as one cross join ${others} as others
      where one.user_id = ${row.user_id} and ${sql.ref(`one.${key}`)} = ${row[key]}
    `.execute(tx)
  }
}
