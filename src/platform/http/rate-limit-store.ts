import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Limit } from './endpoint.ts'

/**
 * Counts a call of `client`, an address or a user's id, against `limit`, for all processes together. The milliseconds until its next
 * one is let in; 0 when this one is. A window begins with its first call and is not drawn out by later ones.
 */
export async function countCall(
  database: Database,
  limit: Limit,
  client: string,
  now: Instant,
): Promise<number> {
  const key = `${limit.name}|${client}`
  const start = now - limit.seconds * 1000
  const known = await database.read
    .selectFrom('rateLimit')
    .select(['count', 'lastRequest'])
    .where('key', '=', key)
    .where('lastRequest', '>', start)
    .executeTakeFirst()
  // Read first, so that somebody who keeps on calling does not keep the database writing.
  if (known && known.count >= limit.max) return Number(known.lastRequest) - start

  const counted = await database.write((tx) =>
    tx
      .insertInto('rateLimit')
      .values({ id: crypto.randomUUID(), key, count: 1, lastRequest: now })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((eb) => ({
          count: eb
            .case()
            .when('rateLimit.lastRequest', '>', start)
            .then(eb('rateLimit.count', '+', 1))
            .else(1)
            .end(),
          lastRequest: eb
            .case()
            .when('rateLimit.lastRequest', '>', start)
            .then(eb.ref('rateLimit.lastRequest'))
            .else(now)
            .end(),
        })),
      )
      .returning(['count', 'lastRequest'])
      .executeTakeFirstOrThrow(),
  )
  return counted.count > limit.max ? Number(counted.lastRequest) - start : 0
}

/** Forgets whatever was counted of a user, who is about to be nobody. */
export async function forgetCallsOf(tx: Transaction<Tables>, user: string): Promise<void> {
  await tx.deleteFrom('rateLimit').where('key', 'like', `%|${user}`).execute()
}

export async function forgetCalls(database: Database, before: Instant): Promise<void> {
  await database.write((tx) => tx.deleteFrom('rateLimit').where('lastRequest', '<', before).execute())
}
