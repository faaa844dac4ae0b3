import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { FoundRow } from '#platform/database/look-up.ts'
import { instantOfAuth } from '#platform/database/tables.ts'

export interface StoredSession {
  user: string
  expiresAt: Instant
  /** Undefined for somebody who has written nothing yet. */
  revision: string | undefined
}

/** Reads a sign-in session and its user's revision by one prepared statement: as both are by then, whichever process wrote them. */
export function sessionReader(database: Database): (token: string) => Promise<StoredSession | undefined> {
  return database.lookUp(
    (db, isKey) =>
      db
        .selectFrom('session')
        .leftJoin('revisions', 'revisions.user_id', 'session.userId')
        .select(['session.token as key', 'session.userId', 'session.expiresAt', 'revisions.revision'])
        .where(isKey('session.token'))
        .compile(),
    sessionOf,
  )
}

function sessionOf({ userId, expiresAt, revision }: FoundRow): StoredSession {
  if (typeof userId !== 'string') throw new TypeError('A session belongs to a user')
  if (typeof expiresAt !== 'string' && !(expiresAt instanceof Date)) throw new TypeError('A session ends')
  return {
    user: userId,
    expiresAt: instantOfAuth(expiresAt),
    revision: typeof revision === 'string' ? revision : undefined,
  }
}
