import type { Instant } from '#platform/calendar/day.ts'
import { instantOfAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import type { FoundRow } from '#platform/database/look-up.ts'
import type { Tables } from '#platform/database/tables.ts'

export interface StoredSession {
  user: string
  expiresAt: Instant
  /** When the session was last used, to the hour. */
  usedAt: Instant
  /** The user's revision, which changes with every write of the user; undefined if the user has written nothing yet. */
  revision: string | undefined
  /** The row that was found, with what was read along. */
  found: FoundRow
}

/** Columns of the user's preferences, which nearly every request needs. */
export type ReadAlong = readonly (keyof Tables['preferences'])[]

/**
 * Reads a sign-in session and its user's revision with one prepared statement. Both are current, whichever process wrote them
 * last. So are the preferences that are read along; they are null if the user has chosen nothing yet.
 */
export function sessionReader(
  database: Database,
  along: ReadAlong,
): (token: string) => Promise<StoredSession | undefined> {
  return database.lookUp(
    (db, isKey) =>
      db
        .selectFrom('session')
        .leftJoin('revisions', 'revisions.user_id', 'session.userId')
        .select([
          'session.token as key',
          'session.userId',
          'session.expiresAt',
          'session.updatedAt',
          'revisions.revision',
        ])
        .$if(along.length > 0, (query) =>
          query
            .leftJoin('preferences', 'preferences.user_id', 'session.userId')
            .select(along.map((column) => `preferences.${column}` as const)),
        )
        .where(isKey('session.token'))
        .compile(),
    sessionOf,
  )
}

function sessionOf(found: FoundRow): StoredSession {
  const { userId, expiresAt, updatedAt, revision } = found
  if (typeof userId !== 'string') throw new TypeError('A session belongs to a user')
  return {
    user: userId,
    expiresAt: instantFound(expiresAt),
    usedAt: instantFound(updatedAt),
    revision: typeof revision === 'string' ? revision : undefined,
    found,
  }
}

function instantFound(stored: unknown): Instant {
  if (typeof stored === 'string' || stored instanceof Date) return instantOfAuth(stored)
  throw new TypeError('A session begins and ends')
}

/** The most sessions of one user. No person needs more, but a program that signs in again for each call may. */
const maxSessions = 100

/** Ends the user's sessions beyond `maxSessions`, least recently used first. */
export async function endSurplusSessions(database: Database, user: string): Promise<void> {
  const surplus = await database.read
    .selectFrom('session')
    .select('id')
    .where('userId', '=', user)
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    // SQLite does not allow OFFSET without LIMIT.
    .limit(1_000)
    .offset(maxSessions)
    .execute()
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  await database.write((tx) =>
    tx.deleteFrom('session').where('userId', '=', user).where('id', 'in', ids).execute(),
  )
  database.changes.notify(user)
}

/** Ends all sessions of the user and returns how many there were. Their push subscriptions are deleted with them. */
export async function endAllSessions(db: Database, user: string): Promise<number> {
  const { numDeletedRows } = await db.write((tx) =>
    tx.deleteFrom('session').where('userId', '=', user).executeTakeFirstOrThrow(),
  )
  db.changes.notify(user)
  return Number(numDeletedRows)
}

/** Whether the account is closed, so that nobody can sign in to it. */
export async function isClosed(db: Database, user: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('closed_accounts')
    .select('user_id')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row !== undefined
}
