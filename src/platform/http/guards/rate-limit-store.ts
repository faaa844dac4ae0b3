import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Pace, purgeUpTo } from '#platform/database/rows/delete-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Limit } from '../endpoint/endpoint.ts'

/** Milliseconds by which the clocks of several servers may differ. */
const clocksDiffer = 60_000

/**
 * Counts a call by `client`, an address or a user's id, against `limit`, for all processes together. Returns 0 when the call
 * is admitted, or else the milliseconds until the next one will be. A window begins with its first call, and later calls do
 * not extend it. A window that begins in the future dates from before the clock was set back, and locks nobody out.
 */
export async function countCall(
  database: Database,
  limit: Limit,
  client: string,
  now: Instant,
): Promise<number> {
  const key = `${limit.name}|${client}`
  const start = now - limit.seconds * 1000
  const latest = now + clocksDiffer
  const existing = await database.read
    .selectFrom('rateLimit')
    .select(['count', 'lastRequest'])
    .where('key', '=', key)
    .where('lastRequest', '>', start)
    .where('lastRequest', '<=', latest)
    .executeTakeFirst()
  // Read first, so that a client that keeps calling does not keep the database writing.
  if (existing && existing.count >= limit.max) return Number(existing.lastRequest) - start

  const counted = await database.write((tx) =>
    tx
      .insertInto('rateLimit')
      .values({ id: crypto.randomUUID(), key, count: 1, lastRequest: now })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => {
          const isOpen = eb.between('rateLimit.lastRequest', start + 1, latest)
          return {
            count: eb
              .case()
              .when(isOpen)
              .then(eb('rateLimit.count', '+', 1))
              .else(1)
              .end(),
            lastRequest: eb.case().when(isOpen).then(eb.ref('rateLimit.lastRequest')).else(now).end(),
          }
        }),
      )
      .returning(['count', 'lastRequest'])
      .executeTakeFirstOrThrow(),
  )
  return counted.count > limit.max ? Number(counted.lastRequest) - start : 0
}

/** Deletes the counts of a user whose account is being deleted. */
export async function forgetCallsOf(tx: Transaction<Tables>, user: string): Promise<void> {
  await tx.deleteFrom('rateLimit').where('key', 'like', `%|${user}`).execute()
}

/** Deletes old counts in batches: any number of addresses may have called. */
export async function forgetCalls(database: Database, before: Instant, pace?: Pace): Promise<void> {
  await purgeUpTo(database, 'rateLimit', 'lastRequest', before, pace)
}
