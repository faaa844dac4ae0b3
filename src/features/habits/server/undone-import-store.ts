import type { Kysely, Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import { isAsImported } from '#platform/database/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { amountRows } from './amount-rows.ts'
import { daysChanged } from './amount-store.ts'
import type { HabitRow } from './habit-row-store.ts'
import { habitRows } from './habit-rows.ts'
import { withStartBefore } from './imported-start.ts'

/**
 * Takes back the habits that an import made and nobody has touched since, with their days; and its untouched days of habits that
 * were there before. A habit that was touched keeps its days. Returns how much stays, by list.
 */
export async function undoHabits(
  db: Database,
  user: string,
  importId: string,
  now: Instant,
): Promise<Record<string, number>> {
  const habits = await habitRows.undoImport(db, user, importId, now, {
    keeps: (tx, rows) => withLaterPauses(tx, user, rows, importId),
  })
  let [completions, amounts] = [0, 0]
  for (const id of await habitsWithDaysOf(db.read, user, importId)) {
    const kept = await db.writeFor(user, habitRows.collections, async (tx) => {
      const row = await habitRows.lock(tx, user, id)
      return row && keepsDays(row, importId) ? undefined : row && undoDays(tx, row, importId, now)
    })
    completions += kept?.completions ?? 0
    amounts += kept?.amounts ?? 0
  }
  return { habits, completions, amounts }
}

/** The days of a habit that the import made come and go with it. Those of one that it brought back go one by one. */
function keepsDays({ import_id, deleted_at, deleted_before_import }: HabitRow, importId: string): boolean {
  return import_id === importId && (deleted_at === null || deleted_before_import === null)
}

/** Which of these were paused since they were imported. */
async function withLaterPauses(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly HabitRow[],
  importId: string,
): Promise<Set<string>> {
  const importedAt = new Map(habits.map(({ id, imported_at }) => [id, imported_at ?? 0]))
  if (importedAt.size === 0) return new Set()
  const pauses = await tx
    .selectFrom('pauses')
    .select(['habit_id', 'updated_at', 'import_id', 'imported_at'])
    .where('user_id', '=', user)
    .where('habit_id', 'is not', null)
    .execute()
  return new Set(
    pauses.flatMap(({ habit_id, updated_at, import_id, imported_at }) => {
      const since = habit_id === null ? undefined : importedAt.get(habit_id)
      if (habit_id === null || since === undefined) return []
      return updated_at > (import_id === importId ? (imported_at ?? 0) : since) ? [habit_id] : []
    }),
  )
}

async function habitsWithDaysOf(db: Kysely<Tables>, user: string, importId: string): Promise<string[]> {
  const [ticked, entered] = await Promise.all(
    (['completions', 'amounts'] as const).map((table) =>
      db
        .selectFrom(table)
        .select('habit_id')
        .distinct()
        .where('user_id', '=', user)
        .where('import_id', '=', importId)
        .execute(),
    ),
  )
  return [...new Set([...(ticked ?? []), ...(entered ?? [])].map(({ habit_id }) => habit_id))].toSorted()
}

async function undoDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  importId: string,
  now: Instant,
): Promise<{ completions: number; amounts: number }> {
  const ticks = await undoTicks(tx, row, importId, now)
  const entries = await undoAmounts(tx, row, importId, now)
  const changed = await daysChanged(tx, row, [...ticks.days, ...entries.days], now)
  await habitRows.update(tx, changed, withStartBefore(changed, importId), now)
  return { completions: ticks.kept, amounts: entries.kept }
}

interface TakenDays {
  days: Day[]
  kept: number
}

/** What the import wrote of a day becomes what it was before, unless that part was changed since. */
async function undoTicks(
  tx: Transaction<Tables>,
  { user_id, id }: HabitRow,
  importId: string,
  now: Instant,
): Promise<TakenDays> {
  const ofImport = await tx
    .selectFrom('completions')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('habit_id', '=', id)
    .where('import_id', '=', importId)
    .execute()
  const gone: Day[] = []
  const days: Day[] = []
  let kept = 0
  for (const row of ofImport) {
    const { day, changed_at, note_at, before_import: before } = row
    const importedAt = row.imported_at ?? 0
    const isStateUntouched = changed_at <= importedAt
    const isNoteUntouched = before === null ? note_at <= importedAt : note_at === importedAt
    if (before === null && isStateUntouched && isNoteUntouched) {
      gone.push(day)
      continue
    }
    if (!isStateUntouched || (note_at > importedAt && before === null)) kept += 1
    const done = before === 'done' ? 1 : 0
    const skipped = before === 'skipped' ? 1 : 0
    const stateChanges = isStateUntouched && (row.done !== done || row.skipped !== skipped)
    await tx
      .updateTable('completions')
      .set({
        ...(stateChanges && { done, skipped, changed_at: now }),
        ...(isNoteUntouched && { note: '', note_at: now }),
        ...{ import_id: null, imported_at: null, before_import: null },
      })
      .where('user_id', '=', user_id)
      .where('habit_id', '=', id)
      .where('day', '=', day)
      .execute()
    days.push(day)
  }
  for (const batch of inBatches(gone)) {
    await tx
      .deleteFrom('completions')
      .where('user_id', '=', user_id)
      .where('habit_id', '=', id)
      .where('day', 'in', batch)
      .execute()
  }
  return { days: [...gone, ...days], kept }
}

async function undoAmounts(
  tx: Transaction<Tables>,
  { user_id, id }: HabitRow,
  importId: string,
  now: Instant,
): Promise<TakenDays> {
  const rows = await tx
    .selectFrom('amounts')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('import_id', '=', importId)
    .where('habit_id', '=', id)
    .execute()
  const unchanged = rows.filter(isAsImported)
  await amountRows.takeBack(
    tx,
    user_id,
    unchanged.map((row) => row.id),
    now,
  )
  const live = rows.filter(({ deleted_at }) => deleted_at === null)
  return { days: unchanged.map(({ day }) => day), kept: live.length - unchanged.length }
}
