import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { inBatches } from './batches.ts'
import { lettingOthersIn } from './letting-others-in.ts'
import type { Tables } from './tables.ts'

/** Ids of rows that were not there, and of those that were deleted and are back. The others stay as they were. */
export interface TakenRows {
  added: ReadonlySet<string>
  restored: ReadonlySet<string>
}

/** Of several rows with one id the first. */
export function uniqueById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed()
}

/** Takes back whatever deletions there are among the rows, as of now; answers which those were. */
export async function restoreRows(
  tx: Transaction<Tables>,
  table: 'todos' | 'habits' | 'focus_sessions',
  user: string,
  ids: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const restored = new Set<string>()
  const letOthersIn = lettingOthersIn()
  for (const batch of inBatches(ids)) {
    await letOthersIn()
    const rows = await tx
      .updateTable(table)
      .set({ deleted_at: null, deletion_changed_at: now, updated_at: now })
      .where('user_id', '=', user)
      .where('id', 'in', batch)
      .where('deleted_at', 'is not', null)
      .returning('id')
      .execute()
    for (const { id } of rows) restored.add(id)
  }
  return restored
}
