import type { Transaction } from 'kysely'
import { withFirstEntry } from '#features/habits/past/server/first-entry-store.ts'
import { invalidatedSum, storeSum } from '#features/habits/past/server/habit-summary-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { habitRows } from './habit-rows.ts'
import type { HabitRow } from './live-habit-store.ts'

// How a change to days affects the row of their habit.

/** The updated row after these days changed. The habit must be locked. */
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

/** The days of changed sessions, by habit: the habit that a session belongs to, and the habit that it belonged to before. */
export type ChangedSessions = ReadonlyMap<string, readonly Day[]>

/**
 * Clears a habit's sum of earlier days if it contains a day of the changed sessions. Deleted habits are included, since they may
 * be restored; a habit that does not exist yet is ignored. Nothing else about the habits changes.
 */
export async function sessionsChanged(
  tx: Transaction<Tables>,
  user: string,
  changed: ChangedSessions,
): Promise<void> {
  // Every write locks habits in the same order, so that two writes never deadlock.
  for (const [id, days] of [...changed].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const row = await habitRows.lock(tx, user, id)
    if (!row) continue
    const invalidated = await invalidatedSum(tx, row, days)
    if (Object.keys(invalidated).length > 0) await storeSum(tx, row, invalidated)
  }
}
