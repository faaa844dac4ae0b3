import type { Kysely, Transaction } from 'kysely'
import { amountRows } from '#features/habits/amounts/server/amount-rows.ts'
import { daysChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { habitRows } from '#features/habits/habit/server/habit-rows.ts'
import type { HabitRow } from '#features/habits/habit/server/live-habit-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { isAsImported } from '#platform/database/rows/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'

/**
 * Undoes an import of habits: removes the untouched habits that it made, with their days, and its untouched days of other habits.
 * A habit that was changed since keeps its days. Returns how many rows stay, by list.
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
    for (let place: Place | undefined = begin; place; ) {
      const from: Place = place
      const undone: UndoneDays | undefined = await db.writeFor(user, habitRows.collections, async (tx) => {
        const row = await habitRows.lock(tx, user, id)
        return row && !keepsDays(row, importId) ? undoSomeDays(tx, row, importId, from, now) : undefined
      })
      completions += undone?.completions ?? 0
      amounts += undone?.amounts ?? 0
      place = undone?.next
    }
  }
  return { habits, completions, amounts }
}

/**
 * Rows per write: few enough that no other write waits for long. A habit may have tens of thousands of days, and ten times as
 * many entries.
 */
const undoneAtOnce = 500

type Amount = Tables['amounts']

/** Where to continue: the last day and the last entry that were handled. */
interface Place {
  tick: Day
  entry: Pick<Amount, 'day' | 'id'>
}

const beforeAll = '0000-01-01' as Day
const begin: Place = { tick: beforeAll, entry: { day: beforeAll, id: '' } }

interface UndoneDays {
  /** How many imported days stay; `amounts` is the number of entries that stay. */
  completions: number
  amounts: number
  /** Where the next write continues; undefined once everything is handled. */
  next: Place | undefined
}

/**
 * Whether the habit's days are left alone. The days of a habit that the import made are removed together with the habit, or stay
 * with it. A habit that the import restored, and that is deleted again, loses its imported days one by one.
 */
function keepsDays({ import_id, deleted_at, deleted_before_import }: HabitRow, importId: string): boolean {
  return import_id === importId && (deleted_at === null || deleted_before_import === null)
}

/** The ids of the habits that were paused after they were imported. */
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
    .where('habit_id', 'in', [...importedAt.keys()])
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
  const habits = new Set<string>()
  // Finds each habit with its own query: an import may have as many days as an account can hold.
  const ticked = (last?: { habit_id: string }) =>
    db
      .selectFrom('completions')
      .select('habit_id')
      .where('user_id', '=', user)
      .where('import_id', '=', importId)
      .where('habit_id', '>', last?.habit_id ?? '')
      .orderBy('habit_id')
      .limit(1)
      .execute()
  for await (const [next] of pagesByKey(1, ticked)) {
    if (next) habits.add(next.habit_id)
    await betweenStretches()
  }
  const entered = (last?: { id: string }) =>
    db
      .selectFrom('amounts')
      .select(['id', 'habit_id'])
      .where('user_id', '=', user)
      .where('import_id', '=', importId)
      .where('id', '>', last?.id ?? '')
      .orderBy('id')
      .limit(soughtAtOnce)
      .execute()
  for await (const entries of pagesByKey(soughtAtOnce, entered)) {
    for (const { habit_id } of entries) habits.add(habit_id)
    await betweenStretches()
  }
  return [...habits].toSorted()
}

const soughtAtOnce = 1_000

async function undoSomeDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  importId: string,
  place: Place,
  now: Instant,
): Promise<UndoneDays> {
  const ticks = await undoTicks(tx, row, importId, place.tick, now)
  const entries = ticks.next ? noEntries : await undoAmounts(tx, row, importId, place.entry, now)
  await daysChanged(tx, row, [...ticks.days, ...entries.days], now)
  const isLast = !ticks.next && !entries.next
  return {
    completions: ticks.kept,
    amounts: entries.kept,
    next: isLast ? undefined : { tick: ticks.next ?? place.tick, entry: entries.next ?? place.entry },
  }
}

const noEntries: TakenDays<Place['entry']> = { days: [], kept: 0, next: undefined }

interface TakenDays<Last> {
  days: Day[]
  kept: number
  /** The last row that was handled; undefined if no more follow. */
  next: Last | undefined
}

/** Restores each day to its state before the import, except for a state or note that was changed since. */
async function undoTicks(
  tx: Transaction<Tables>,
  { user_id, id }: HabitRow,
  importId: string,
  after: Day,
  now: Instant,
): Promise<TakenDays<Day>> {
  const ofImport = await tx
    .selectFrom('completions')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('habit_id', '=', id)
    .where('import_id', '=', importId)
    .where('day', '>', after)
    .orderBy('day')
    .limit(undoneAtOnce)
    .execute()
  const yieldPoint = createYieldPoint()
  const gone: Day[] = []
  const days: Day[] = []
  let kept = 0
  for (const row of ofImport) {
    await yieldPoint()
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
        import_id: null,
        imported_at: null,
        before_import: null,
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
  const next = ofImport.length < undoneAtOnce ? undefined : ofImport.at(-1)?.day
  return { days: [...gone, ...days], kept, next }
}

/** Reads all entries of the habit in order, because the entries of one import are not stored together. */
async function undoAmounts(
  tx: Transaction<Tables>,
  { user_id, id }: HabitRow,
  importId: string,
  after: Place['entry'],
  now: Instant,
): Promise<TakenDays<Place['entry']>> {
  const rows = await tx
    .selectFrom('amounts')
    .select(['id', 'day', 'import_id', 'imported_at', 'updated_at', 'deleted_at'])
    .where('user_id', '=', user_id)
    .where('habit_id', '=', id)
    .where('day', '>=', after.day)
    .where((eb) => eb.or([eb('day', '>', after.day), eb('id', '>', after.id)]))
    .orderBy('day')
    .orderBy('id')
    .limit(undoneAtOnce)
    .execute()
  const ofImport = rows.filter(({ import_id }) => import_id === importId)
  const unchanged = ofImport.filter(isAsImported)
  await amountRows.takeBack(
    tx,
    user_id,
    unchanged.map((row) => row.id),
    now,
  )
  const live = ofImport.filter(({ deleted_at }) => deleted_at === null)
  return {
    days: unchanged.map(({ day }) => day),
    kept: live.length - unchanged.length,
    next: rows.length < undoneAtOnce ? undefined : rows.at(-1),
  }
}
