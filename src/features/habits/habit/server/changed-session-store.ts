import type { Transaction } from 'kysely'
import { invalidatedSum, storeSum } from '#features/habits/past/server/habit-summary-store.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { habitRows } from './habit-rows.ts'

/** The days on which a session counts, or counted before it was changed, by the habit that it belongs, or belonged, to. */
export type ChangedSessions = ReadonlyMap<string, readonly Day[]>

/**
 * What a write to focus sessions does to their habits: sums that cover one of these days are cleared. A habit that is
 * deleted may come back, and one that is not here may still come; nothing else about them changes.
 */
export async function sessionsChanged(
  tx: Transaction<Tables>,
  user: string,
  changed: ChangedSessions,
): Promise<void> {
  // Everyone locks in the same order, so that two writes to the same habits never deadlock.
  for (const [id, days] of [...changed].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const row = await habitRows.lock(tx, user, id)
    if (!row) continue
    const invalidated = await invalidatedSum(tx, row, days)
    if (Object.keys(invalidated).length > 0) await storeSum(tx, row, invalidated)
  }
}
