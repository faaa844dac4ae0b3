import { createHash, randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import type { Engine } from '#platform/database/schema/migration-step.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type SessionEnd, sessionEndSchema } from '../session-end.ts'

// Why sign-in sessions ended. The reasons are stored under hashes of the session tokens, and shown only to a browser that still
// has the session's signed cookie. The rows name nobody, so they may outlive an account. They are in better-auth's `verification`
// table, which holds things that expire.

/** Milliseconds for which a reason is stored. A browser that comes back later no longer learns why its session ended. */
const retention = 30 * 24 * 60 * 60 * 1000

/** Records the reason for sessions that end now. */
export async function recordSessionEnds(
  db: Database,
  tokens: readonly string[],
  why: SessionEnd,
  now: Instant,
): Promise<void> {
  await db.write((tx) => insertSessionEnds(tx, db.engine, tokens, why, now))
}

/** Records the reason for every current session of the user. */
export async function recordSessionEndsOfUser(
  tx: Transaction<Tables>,
  engine: Engine,
  user: string,
  why: SessionEnd,
  now: Instant,
): Promise<void> {
  const sessions = await tx.selectFrom('session').select('token').where('userId', '=', user).execute()
  const tokens = sessions.map(({ token }) => token)
  await insertSessionEnds(tx, engine, tokens, why, now)
}

async function insertSessionEnds(
  tx: Transaction<Tables>,
  engine: Engine,
  tokens: readonly string[],
  why: SessionEnd,
  now: Instant,
): Promise<void> {
  if (tokens.length === 0) return
  const identifiers = tokens.map(identifierOf)
  const at = instantForAuth(engine, now)
  await tx.deleteFrom('verification').where('identifier', 'in', identifiers).execute()
  const rows = identifiers.map((identifier) => ({
    id: randomUUID(),
    identifier,
    value: why,
    expiresAt: instantForAuth(engine, now + retention),
    createdAt: at,
    updatedAt: at,
  }))
  await tx.insertInto('verification').values(rows).execute()
}

/** Why the session with this token ended; undefined if unknown. */
export async function sessionEndOf(
  db: Database,
  token: string,
  now: Instant,
): Promise<SessionEnd | undefined> {
  const row = await db.read
    .selectFrom('verification')
    .select('value')
    .where('identifier', '=', identifierOf(token))
    .where('expiresAt', '>', instantForAuth(db.engine, now))
    .executeTakeFirst()
  return sessionEndSchema.safeParse(row?.value).data
}

function identifierOf(token: string): string {
  return `ended:${createHash('sha256').update(token).digest('base64url')}`
}
