import type { Transaction } from 'kysely'
import { withFirstEntry } from '#features/habits/past/server/first-entry-store.ts'
import { invalidatedSum, storeSum } from '#features/habits/past/server/habit-summary-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { habitRows } from './habit-rows.ts'
import type { HabitRow } from './live-habit-store.ts'

// What a change of its days does to the row of a habit.

/** The row after these days changed. The habit must be locked. */
export async function daysChanged(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  at: Instant,
): Promise<HabitRow> {
  const invalidated = await invalidatedSum(tx, row, days)
  const begun = await withFirstEntry(tx, row, days)
  return habitRows.update(tx, row, { updated_at: row.updated_at, ...begun, ...invalidated }, at)
}

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
