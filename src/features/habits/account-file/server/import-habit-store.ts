import { sql, type Transaction } from 'kysely'
import { amountRows } from '#features/habits/amounts/server/amount-rows.ts'
import { refuseFullDays } from '#features/habits/days/server/amount-store.ts'
import { daysChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { completionLimit, habitRows, shortened } from '#features/habits/habit/server/habit-rows.ts'
import { type HabitRow, lockHabit } from '#features/habits/habit/server/live-habit-store.ts'
import { withFirstEntry } from '#features/habits/past/server/first-entry-store.ts'
import { setHabitAlarms } from '#features/habits/reminder/server/habit-reminder-store.ts'
import { type RhythmRow, rhythmOfFrequency } from '#features/habits/rhythm/rhythm.ts'
import { refuseManyRhythms, rhythmLimit } from '#features/habits/rhythm/server/rhythm-store.ts'
import { type Day, type Instant, notLater } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { type ImportedRows, isAsImported } from '#platform/database/rows/synced-rows.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { longestPosition } from '#platform/order/position.ts'
import type {
  ImportedAmounts,
  ImportedCompletions,
  ImportedHabit,
  ImportedNotes,
  ImportedRhythms,
} from '../exported-habit.ts'
import { findNewDays } from './new-day-store.ts'
import { undoHabits } from './undone-import-store.ts'

/** What one import request contains about habits. */
interface Piece {
  habits?: readonly ImportedHabit[] | undefined
  rhythms?: readonly ImportedRhythms[] | undefined
  completions?: readonly ImportedCompletions[] | undefined
  skips?: readonly ImportedCompletions[] | undefined
  notes?: readonly ImportedNotes[] | undefined
  amounts?: readonly ImportedAmounts[] | undefined
}

/** What each list of an import request contains, for the error message if a habit is missing. */
const said = {
  rhythms: 'these rhythms',
  completions: 'these completions',
  skips: 'these skipped days',
  notes: 'these notes',
  amounts: 'these amounts',
} as const

/** `zoneIn` locks and returns the time zone of a user's reminders: nobody else can change it until the write ends. */
export function habitImporter({
  zoneIn,
}: {
  zoneIn: (tx: Transaction<Tables>, user: string) => Promise<string>
}) {
  return {
    collection: habitRows.collection,
    async refuse(tx: Transaction<Tables>, user: string, { habits = [], ...piece }: Piece) {
      // Lock the zone first: every write that sets alarms locks the zone before the habits, so that two writes never deadlock.
      await zoneIn(tx, user)
      const sent = new Set(habits.map(({ id }) => id))
      const named = Object.entries(said).flatMap(([list, what]) =>
        listIn(piece, list).map(({ habit_id }, place) => ({ habit_id, list, what, place })),
      )
      const expected = new Set(named.map(({ habit_id }) => habit_id)).difference(sent)
      const missing = await findMissingHabit(tx, user, [...expected])
      const first = named.find(({ habit_id }) => habit_id === missing)
      if (!first) return undefined
      const problem = `The habit for ${first.what} doesn't exist`
      return { field: `${first.list}.${first.place}.habit_id`, problem }
    },
    async importRows(
      tx: Transaction<Tables>,
      user: string,
      piece: Piece,
      now: Instant,
      adding: Adding,
      importId: string | null = null,
    ) {
      const { habits = [], rhythms = [], completions = [], skips = [], notes = [], amounts = [] } = piece
      const imported = await importHabits(tx, adding, user, habits, now, importId)
      const present = imported.added.union(imported.restored)
      if (present.size > 0) await setHabitAlarms(tx, user, await zoneIn(tx, user), now, present)
      const more = new Map(rhythms.map(({ habit_id, rhythms }) => [habit_id, rhythms]))
      // A habit that existed before this import gets no rhythms from it: undoing the import could not remove them.
      for (const id of await notMadeBy(tx, user, importId, [...more.keys()])) more.delete(id)
      const addedRhythms = await addRhythms(tx, adding, user, more, now)
      for (const id of more.keys()) {
        const row = await lockedHabit(tx, user, id)
        // The target decides whether a day has an entry, so find the first entry again.
        await habitRows.update(tx, row, await withFirstEntry(tx, row, 'all'), row.updated_at)
      }
      const completed = await importCompletions(tx, user, completions, now, importId)
      const skipped = await importSkips(tx, user, skips, now, importId)
      const noted = await importNotes(tx, user, notes, now, importId)
      adding.rows(completionLimit, completed + skipped + noted)
      return {
        habits: habitRows.countImported(imported, adding),
        rhythms: { added: addedRhythms },
        completions: { added: completed },
        skips: { added: skipped },
        notes: { added: noted },
        amounts: await importAmounts(tx, adding, user, amounts, now, importId),
      }
    },
    findNewDays,
    undo: undoHabits,
  }
}

function listIn(piece: Piece, list: string): readonly { habit_id: string }[] {
  const lists: Record<string, readonly { habit_id: string }[] | undefined> = { ...piece, habits: undefined }
  return lists[list] ?? []
}

/** Adds new habits with their rhythms, and restores deleted ones. A habit that already exists stays as it is. */
async function importHabits(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  habits: readonly ImportedHabit[],
  now: Instant,
  importId: string | null,
): Promise<ImportedRows> {
  const rows = habits.map(({ rhythms: _, frequency: __, archived_at, ...habit }) => ({
    ...habit,
    archived_at: archived_at && notLater(archived_at, now),
  }))
  const imported = await habitRows.importRows(tx, user, rows, now, importId)
  for (const batch of inBatches([...imported.added])) {
    // The start counts as chosen after all of the file's entries, so that entries from before the start don't count.
    const chosen = { start_at: now + 1, made_by_import: importId }
    await tx.updateTable('habits').set(chosen).where('user_id', '=', user).where('id', 'in', batch).execute()
  }
  // If several habits in the request have the same id, the first one was imported.
  const firstOfId = new Map(habits.toReversed().map((habit) => [habit.id, habit]))
  const added = [...imported.added].flatMap((id) => firstOfId.get(id) ?? [])
  await addRhythms(tx, adding, user, new Map(added.map((habit) => [habit.id, rhythmsIn(habit)])), now)
  const yieldPoint = createYieldPoint()
  for (const { id } of added.filter(({ position }) => position.length > longestPosition)) {
    await yieldPoint()
    const row = await habitRows.lock(tx, user, id)
    if (row) await shortened(tx, row)
  }
  return imported
}

function rhythmsIn({ rhythms, frequency, start_date }: ImportedHabit): RhythmRow[] {
  if (rhythms.length > 0) return rhythms
  return [{ from_day: start_date, rhythm: rhythmOfFrequency(frequency), target: 'yes' }]
}

/** Adds rhythms for days that have no stored rhythm yet. Returns how many were added. */
async function addRhythms(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  rhythmsOf: ReadonlyMap<string, readonly RhythmRow[]>,
  now: Instant,
): Promise<number> {
  const rows = [...rhythmsOf].flatMap(([habit_id, rhythms]) =>
    [...new Map(rhythms.toReversed().map((row) => [row.from_day, row])).values()].map(
      ({ from_day, rhythm, target }) => ({
        user_id: user,
        habit_id,
        from_day,
        rhythm: rhythm && JSON.stringify(rhythm),
        rhythm_at: rhythm ? now : 0,
        target: target && JSON.stringify(target),
        target_at: target ? now : 0,
      }),
    ),
  )
  let added = 0
  const changed = new Set<string>()
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(rows)) {
    await yieldPoint()
    const inserted = await tx
      .insertInto('rhythms')
      .values(batch)
      .onConflict((conflict) => conflict.columns(['user_id', 'habit_id', 'from_day']).doNothing())
      .returning('habit_id')
      .execute()
    added += inserted.length
    for (const { habit_id } of inserted) changed.add(habit_id)
  }
  await refuseManyRhythms(tx, user, changed)
  adding.rows(rhythmLimit, added)
  return added
}

/** Returns the first of the habits that does not exist or is deleted. Locks the others until the write ends. */
async function findMissingHabit(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
): Promise<string | undefined> {
  // Every write locks habits in the same order, so that two writes never deadlock.
  const yieldPoint = createYieldPoint()
  for (const id of ids.toSorted()) {
    await yieldPoint()
    if (!(await lockHabit(tx, user, id))) return id
  }
  return undefined
}

/**
 * Completes the days that are not completed yet, including days whose completion was taken back in this account. Returns how many
 * were completed. The habits must exist.
 */
export function importCompletions(
  tx: Transaction<Tables>,
  user: string,
  completions: readonly ImportedCompletions[],
  now: Instant,
  importId: string | null = null,
): Promise<number> {
  return importDays(tx, user, completions, now, importId, (row, batch) =>
    tx
      .insertInto('completions')
      .values(
        batch.map((day) => ({
          ...keyOf(row),
          day,
          done: 1 as const,
          changed_at: now,
          ...markOf(importId, now),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'habit_id', 'day'])
          .doUpdateSet({ done: 1, skipped: 0, changed_at: now, ...markOfChanged(importId, now) })
          .where('completions.done', '=', 0),
      )
      .returning('day')
      .execute(),
  )
}

/** Skips the days that this account has neither skipped nor done. */
function importSkips(
  tx: Transaction<Tables>,
  user: string,
  skips: readonly ImportedCompletions[],
  now: Instant,
  importId: string | null,
): Promise<number> {
  const importing = (row: HabitRow, batch: readonly Day[]) =>
    tx
      .insertInto('completions')
      .values(
        batch.map((day) => ({
          ...keyOf(row),
          day,
          changed_at: now,
          done: 0 as const,
          skipped: 1 as const,
          ...markOf(importId, now),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'habit_id', 'day'])
          .doUpdateSet({ skipped: 1, changed_at: now, ...markOfChanged(importId, now) })
          .where('completions.done', '=', 0)
          .where('completions.skipped', '=', 0),
      )
      .returning('day')
      .execute()
  return importDays(tx, user, skips, now, importId, importing)
}

/** Writes the days of each habit in order, each day once. Returns how many changed. The habits must exist. */
async function importDays(
  tx: Transaction<Tables>,
  user: string,
  daysOfHabits: readonly ImportedCompletions[],
  now: Instant,
  importId: string | null,
  write: (row: HabitRow, batch: readonly Day[]) => Promise<{ day: Day }[]>,
): Promise<number> {
  let sum = 0
  const yieldPoint = createYieldPoint()
  for (const [id, days] of daysByHabit(daysOfHabits)) {
    const row = await lockedHabit(tx, user, id)
    const changed: Day[] = []
    for (const batch of inBatches([...new Set(days)].toSorted())) {
      await yieldPoint()
      changed.push(...(await write(row, batch)).map(({ day }) => day))
    }
    if (changed.length === 0) continue
    await importedDaysChanged(tx, row, changed, now, importId)
    sum += changed.length
  }
  return sum
}

/** Writes notes to days that have no note in this account. Returns how many were written. The habits must exist. */
async function importNotes(
  tx: Transaction<Tables>,
  user: string,
  notes: readonly ImportedNotes[],
  now: Instant,
  importId: string | null,
): Promise<number> {
  let added = 0
  const yieldPoint = createYieldPoint()
  for (const [id, days] of daysByHabit(notes)) {
    const row = await lockedHabit(tx, user, id)
    const written = new Map(days.toReversed().map(({ day, note }) => [day, note]))
    for (const batch of inBatches([...written].filter(([, note]) => note !== ''))) {
      await yieldPoint()
      const changed = await tx
        .insertInto('completions')
        .values(
          batch.map(([day, note]) => ({
            ...keyOf(row),
            day,
            note,
            note_at: now,
            done: 0 as const,
            changed_at: 0,
            ...markOf(importId, now),
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'habit_id', 'day'])
            .doUpdateSet((eb) => ({
              note: eb.ref('excluded.note'),
              note_at: now,
              ...markOfChanged(importId, now),
              ...(importId !== row.made_by_import && keptBeforeStart(row)),
            }))
            .where('completions.note', '=', ''),
        )
        .returning('day')
        .execute()
      added += changed.length
    }
  }
  return added
}

/** Adds entries that this account does not have, and restores deleted ones. The habits must exist. */
async function importAmounts(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  amounts: readonly ImportedAmounts[],
  now: Instant,
  importId: string | null,
): Promise<{ added: number; restored: number }> {
  const sum = { added: 0, restored: 0 }
  for (const [id, entries] of daysByHabit(amounts)) {
    const row = await lockedHabit(tx, user, id)
    const rows = entries.map(({ at, set, settles, ...entry }) => ({
      ...entry,
      habit_id: id,
      created_at: at,
      set,
      settles: set ? settles : null,
    }))
    const imported = await amountRows.importRows(tx, user, rows, now, importId)
    const { added, restored } = amountRows.countImported(imported, adding)
    if (added + restored === 0) continue
    sum.added += added
    sum.restored += restored
    const present = imported.added.union(imported.restored)
    const days = entries.filter((entry) => present.has(entry.id)).map(({ day }) => day)
    await refuseFullDays(tx, row, days)
    await importedDaysChanged(tx, row, days, now, importId)
  }
  return sum
}

/** Columns that record which import wrote a new day, so that the import can be undone. */
function markOf(importId: string | null, now: Instant) {
  return importId === null ? {} : { import_id: importId, imported_at: now }
}

/**
 * Like `markOf`, for a day that already existed: also records its state before the import. If an earlier request of the same
 * import wrote the day, the recorded state stays.
 */
function markOfChanged(importId: string | null, now: Instant) {
  if (importId === null) return { import_id: null, imported_at: null, before_import: null }
  return {
    ...markOf(importId, now),
    before_import: sql<'done' | 'skipped' | 'none' | null>`case
      when completions.import_id = ${importId} then completions.before_import
      when completions.done = 1 then 'done'
      when completions.skipped = 1 then 'skipped'
      else 'none' end`,
  }
}

/**
 * A day that was imported together with its habit must not move the habit's start. Its import mark ensures this, but a note from
 * another import replaces the mark. So the day's instant is set to before the choice of the start.
 */
function keptBeforeStart({ made_by_import, start_at }: HabitRow) {
  if (made_by_import === null) return {}
  return {
    changed_at: sql<number>`case
      when completions.import_id = ${made_by_import}
        and coalesce(completions.before_import, 'none') <> 'done'
        and completions.changed_at between ${start_at} and completions.imported_at
      then ${start_at - 1} else completions.changed_at end`,
  }
}

/** Updates the row after its days were imported. If the same import made the row, the row still counts as untouched. */
async function importedDaysChanged(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  now: Instant,
  importId: string | null,
): Promise<void> {
  const changed = await daysChanged(tx, row, days, now)
  if (importId === null || row.import_id !== importId || !isAsImported(row)) return
  await habitRows.update(tx, changed, { imported_at: changed.updated_at }, changed.updated_at)
}

/** The habits that existed before the import. */
async function notMadeBy(
  tx: Transaction<Tables>,
  user: string,
  importId: string | null,
  ids: readonly string[],
): Promise<string[]> {
  if (importId === null || ids.length === 0) return []
  const rows = await tx
    .selectFrom('habits')
    .select(['id', 'import_id', 'deleted_before_import'])
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .execute()
  return rows
    .filter(
      ({ import_id, deleted_before_import }) => import_id !== importId || deleted_before_import !== null,
    )
    .map(({ id }) => id)
}

/** Merges all lists of the same habit into one. */
function daysByHabit<DayOfHabit>(
  rows: readonly { habit_id: string; days: readonly DayOfHabit[] }[],
): Map<string, DayOfHabit[]> {
  const byHabit = new Map<string, DayOfHabit[]>()
  for (const { habit_id, days } of rows) {
    const ofHabit = byHabit.get(habit_id)
    if (ofHabit) ofHabit.push(...days)
    else byHabit.set(habit_id, [...days])
  }
  return byHabit
}

async function lockedHabit(tx: Transaction<Tables>, user: string, id: string): Promise<HabitRow> {
  const row = await lockHabit(tx, user, id)
  if (!row) throw new Error('A habit whose days are imported has to be there')
  return row
}

function keyOf({ user_id, id }: HabitRow) {
  return { user_id, habit_id: id }
}
