import { sql } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { instantForAuth, instantOfAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'

// What the operator may see of all accounts. Only `src/app/admin` may import this file, which a check enforces: no HTTP endpoint
// may list people.

export interface ListedUser {
  id: string
  name: string
  email: string
  madeAt: Instant
  isConfirmed: boolean
  isClosed: boolean
  /** How many browsers are signed in. */
  sessions: number
  usedAt: Instant | undefined
  /** The number of lists, to-dos, habits, completions and focus sessions, including rows that were deleted recently. */
  rows: number
}

/** All users, oldest first. With `search`, only those whose name or email contains it. */
export async function listAllUsers(db: Database, now: Instant, search = ''): Promise<ListedUser[]> {
  const users = await db.read
    .selectFrom('user')
    .leftJoin('closed_accounts', 'closed_accounts.user_id', 'user.id')
    .leftJoin('deleted_accounts', 'deleted_accounts.user_id', 'user.id')
    .select(['id', 'name', 'email', 'createdAt', 'emailVerified', 'closed_at'])
    .where('deleted_accounts.user_id', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const sessions = await sessionsByUser(db, now)
  const rows = await rowsByUser(db)
  const wanted = search.toLowerCase()
  return users
    .filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted))
    .map(({ id, name, email, createdAt, emailVerified, closed_at }) => ({
      id,
      name,
      email,
      madeAt: instantOfAuth(createdAt),
      isConfirmed: Boolean(emailVerified),
      isClosed: closed_at !== null,
      sessions: sessions.get(id)?.count ?? 0,
      usedAt: sessions.get(id)?.usedAt,
      rows: rows.get(id) ?? 0,
    }))
}

async function sessionsByUser(db: Database, now: Instant) {
  const rows = await db.read
    .selectFrom('session')
    .select(({ fn }) => ['userId', fn.countAll().as('count'), fn.max('updatedAt').as('usedAt')])
    .where('expiresAt', '>', instantForAuth(db.engine, now))
    .groupBy('userId')
    .execute()
  return new Map(
    rows.map(({ userId, count, usedAt }) => [
      userId,
      { count: Number(count), usedAt: instantOfAuth(usedAt) },
    ]),
  )
}

async function rowsByUser(db: Database): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for (const table of ['lists', 'todos', 'habits', 'completions', 'focus_sessions'] as const) {
    const counted = await db.read
      .selectFrom(table)
      .select([`${table}.user_id`, sql<number>`count(*)`.as('rows')])
      .groupBy(`${table}.user_id`)
      .execute()
    for (const { user_id, rows } of counted) all.set(user_id, (all.get(user_id) ?? 0) + Number(rows))
  }
  return all
}

/** The user with this email, whatever its case. */
export async function findUserByEmail(
  db: Database,
  email: string,
): Promise<{ id: string; name: string; email: string } | undefined> {
  return db.read
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
}

export interface ListedSession {
  usedAt: Instant
  begunAt: Instant
  address: string | undefined
  browser: string | undefined
}

/** The user's sessions that have not ended, last used first. */
export async function listSessionsOf(db: Database, user: string, now: Instant): Promise<ListedSession[]> {
  const rows = await db.read
    .selectFrom('session')
    .select(['createdAt', 'updatedAt', 'ipAddress', 'userAgent'])
    .where('userId', '=', user)
    .where('expiresAt', '>', instantForAuth(db.engine, now))
    .orderBy('updatedAt', 'desc')
    .execute()
  return rows.map(({ createdAt, updatedAt, ipAddress, userAgent }) => ({
    usedAt: instantOfAuth(updatedAt),
    begunAt: instantOfAuth(createdAt),
    address: ipAddress || undefined,
    browser: userAgent || undefined,
  }))
}

/** Ends all sessions of all users. Returns how many there were. */
export async function endSessionsOfAll(db: Database): Promise<number> {
  const ended = await db.write((tx) => tx.deleteFrom('session').returning('userId').execute())
  const users = new Set(ended.map(({ userId }) => userId))
  for (const user of users) db.changes.notify(user)
  return ended.length
}
