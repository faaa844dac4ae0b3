// People with their lists, inserted directly into the database: signing up 100,000 would only test our patience.
import { createHmac, randomBytes } from 'node:crypto'
import { todoRows } from '../../src/features/todos/todo/server/todo-rows.ts'
import { addDays, instantToWire } from '../../src/platform/calendar/day.ts'
import { instantForAuth } from '../../src/platform/database/auth-values.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {{ user: string, cookie: string, todos: string[], habits: string[] }} Person */

export const secret = 'a secret of the benchmark that is long enough'
const day = 86_400_000

/**
 * A signed-in person with this many tasks, and habits that were done on each of the last days.
 * @param {Database} database
 * @param {string} name
 * @param {{ todos?: number, habits?: number, days?: number }} lists
 * @returns {Promise<Person>}
 */
export async function addPerson(database, name, { todos = 0, habits = 0, days = 0 }) {
  const now = Date.now()
  const user = newRowId(now, randomBytes(10))
  await addUsers(database, [{ id: user, name }])
  const cookie = await addSession(database, user)
  const todoIds = Array.from({ length: todos }, (_, place) => newRowId(now - place, randomBytes(10)))
  await database.writeFor(user, [], async (tx) => {
    for (const [place, id] of todoIds.entries()) {
      const instant = now - place * 1000
      await tx
        .insertInto('todos')
        .values(
          todoRows.newRow(
            user,
            id,
            { title: `Answer the letter of the insurance, number ${place}` },
            instant,
          ),
        )
        .execute()
    }
  })
  const habitIds = Array.from({ length: habits }, (_, place) => newRowId(now - place, randomBytes(10)))
  const today = /** @type {import('../../src/platform/calendar/day.ts').Day} */ (
    instantToWire(now).slice(0, 10)
  )
  await database.writeFor(user, [], async (tx) => {
    for (const [place, id] of habitIds.entries()) {
      await tx
        .insertInto('habits')
        .values({
          user_id: user,
          id,
          name: `Habit ${place}`,
          name_at: now,
          description: '',
          description_at: now,
          start_day: addDays(today, -days),
          start_at: now,
          position_at: now,
          archive_changed_at: now,
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
        })
        .execute()
      await tx
        .insertInto('rhythms')
        .values({
          user_id: user,
          habit_id: id,
          from_day: addDays(today, -days),
          rhythm: '{"every":1}',
          rhythm_at: now,
          target: '"yes"',
          target_at: now,
        })
        .execute()
      const rows = Array.from({ length: days }, (_, back) => ({
        user_id: user,
        habit_id: id,
        day: addDays(today, -1 - back),
        done: /** @type {const} */ (1),
        changed_at: 1,
      }))
      for (let next = 0; next < rows.length; next += 500) {
        await tx
          .insertInto('completions')
          .values(rows.slice(next, next + 500))
          .execute()
      }
    }
  })
  return { user, cookie, todos: todoIds, habits: habitIds }
}

/**
 * Adds a sign-in session and returns the cookie of its browser.
 * @param {Database} database
 * @param {string} user
 */
export async function addSession(database, user) {
  const now = Date.now()
  const token = randomBytes(24).toString('base64url').replace(/[-_]/g, 'x').slice(0, 32)
  const at = (/** @type {number} */ instant) => instantForAuth(database.engine, instant)
  await database.auth
    .insertInto('session')
    .values({
      id: newRowId(now, randomBytes(10)),
      userId: user,
      token,
      ipAddress: null,
      userAgent: null,
      createdAt: at(now),
      updatedAt: at(now),
      expiresAt: at(now + 30 * day),
    })
    .execute()
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `daymark.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

/**
 * This many other people, each with a few tasks, who do nothing.
 * @param {Database} database
 * @param {number} count
 */
export async function addCrowd(database, count) {
  const others = Array.from({ length: count }, (_, place) => ({
    id: newRowId(Date.now() - place, randomBytes(10)),
    name: `Other ${place}`,
  }))
  for (let next = 0; next < others.length; next += 200) {
    const some = others.slice(next, next + 200)
    await addUsers(database, some)
    await database.write(async (tx) => {
      const at = Date.now()
      const todos = some.flatMap(({ id }) =>
        Array.from({ length: 5 }, (_, place) =>
          todoRows.newRow(id, newRowId(at - place, randomBytes(10)), { title: `Task ${place}` }, at),
        ),
      )
      for (let row = 0; row < todos.length; row += 500) {
        await tx
          .insertInto('todos')
          .values(todos.slice(row, row + 500))
          .execute()
      }
      const revisions = some.map(({ id }) => ({ user_id: id, revision: id }))
      await tx.insertInto('revisions').values(revisions).execute()
    })
  }
}

/**
 * @param {Database} database
 * @param {{ id: string, name: string }[]} users
 */
async function addUsers(database, users) {
  const at = instantForAuth(database.engine, Date.now())
  const rows = users.map(({ id, name }) => ({
    id,
    name,
    email: `${id}@example.org`,
    emailVerified: database.engine === 'sqlite' ? 0 : false,
    image: null,
    createdAt: at,
    updatedAt: at,
  }))
  await database.auth.insertInto('user').values(rows).execute()
}
