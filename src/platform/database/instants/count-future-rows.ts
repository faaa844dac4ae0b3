import { type Kysely, sql } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { MergedTable } from '../row-kind.ts'
import { type Pace, pauseFor, unhurried } from '../rows/delete-rows.ts'
import type { Tables } from '../tables.ts'
import { isFuture, stretchesOf } from './future-rows.ts'

/** How many rows have a future instant that decides whose change wins, and whose rows they are. */
export interface FutureRows {
  rows: number
  /** The ids of the users who own these rows. */
  users: ReadonlySet<string>
}

/** Counts rows with future instants in all accounts. If `pace` aborts, the count covers only part of them. */
export async function countFutureRows(
  db: Kysely<Tables>,
  tables: readonly MergedTable[],
  now: Instant,
  { signal, rest = unhurried, clock = () => performance.now(), pause = pauseFor }: Pace = {},
): Promise<FutureRows> {
  const users = new Set<string>()
  let rows = 0
  for (const merged of tables) {
    let began = clock()
    for await (const stretch of stretchesOf(db, merged)) {
      const { rows: found } = await sql<{ user_id: string; rows: number }>`
        select user_id, count(*) as rows from ${sql.table(merged.table)}
        where ${stretch} and ${isFuture(merged, now)}
        group by user_id`.execute(db)
      for (const each of found) {
        users.add(each.user_id)
        rows += Number(each.rows)
      }
      await pause(rest * (clock() - began), signal)
      if (signal?.aborted) return { rows, users }
      began = clock()
    }
  }
  return { rows, users }
}
