// People with their lists, put straight into the database: to sign up 100,000 would measure patience.
import { createHmac, randomBytes } from 'node:crypto'
import { addDays, instantToWire } from '../../src/platform/calendar/day.ts'
import { instantForAuth } from '../../src/platform/database/tables.ts'
import { newRowId } from '../../src/platform/wire/new-row-id.ts'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {{ user: string, cookie: string, todos: string[], habits: string[] }} Person */

export const secret = 'a secret of the benchmark that is long enough'
const day = 86_400_000

/**
 * Somebody who is signed in, with so many to-dos, and habits that were done on each of the last days.
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
        .values({
          ...{
            user_id: user,
            id,
            title: `Answer the letter of the insurance, number ${place}`,
            title_at: instant,
          },
          ...{ completed: 0, completed_on: null, completed_at: null, completed_changed_at: instant },
          ...{ due_day: null, due_day_at: instant, remind_at: null, remind_changed_at: instant },
          ...{ created_at: instant, updated_at: instant, deleted_at: null, deletion_changed_at: instant },
        })
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
          ...{
            user_id: user,
            id,
            name: `Habit ${place}`,
            name_at: now,
            description: '',
            description_at: now,
          },
          ...{ frequency: 'daily', frequency_at: now, start_day: addDays(today, -days) },
          ...{ earlier_rhythm: null, earlier_from: null, earlier_run: null, earlier_longest: null },
          ...{ reminder_time: null, reminder_weekdays: null, reminder_changed_at: now },
          ...{ created_at: now, updated_at: now, deleted_at: null, deletion_changed_at: now },
        })
        .execute()
      const rows = Array.from({ length: days }, (_, back) => ({
        ...{ user_id: user, habit_id: id, day: addDays(today, -1 - back) },
        ...{ done: /** @type {const} */ (1), changed_at: 1 },
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
 * One more sign-in session of somebody, and the cookie of its browser.
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
      ...{ id: newRowId(now, randomBytes(10)), userId: user, token, ipAddress: null, userAgent: null },
      ...{ createdAt: at(now), updatedAt: at(now), expiresAt: at(now + 30 * day) },
    })
    .execute()
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `daymark.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

/**
 * So many others, each with a few to-dos, who do nothing.
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
        Array.from({ length: 5 }, (_, place) => ({
          ...{ user_id: id, id: newRowId(at - place, randomBytes(10)), title: `Task ${place}`, title_at: at },
          ...{ completed: /** @type {const} */ (0), completed_on: null, completed_at: null },
          ...{ due_day: null, due_day_at: at, remind_at: null, remind_changed_at: at },
          ...{
            completed_changed_at: at,
            created_at: at,
            updated_at: at,
            deleted_at: null,
            deletion_changed_at: at,
          },
        })),
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
    ...{ id, name, email: `${id}@example.org`, emailVerified: database.engine === 'sqlite' ? 0 : false },
    ...{ image: null, createdAt: at, updatedAt: at },
  }))
  await database.auth.insertInto('user').values(rows).execute()
}
