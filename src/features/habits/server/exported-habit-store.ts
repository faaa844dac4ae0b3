import type { Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import type { ExportedHabit, ImportedCompletions, ImportedHabit } from '../exported-habit.ts'
import { listCompletions } from './completion-store.ts'
import { invalidatedSum } from './earlier-store.ts'
import { setHabitAlarms } from './habit-reminder-store.ts'
import { type HabitRow, lockHabit } from './habit-row-store.ts'
import { completionLimit, habitRows } from './habit-rows.ts'

const everyDay = { from: '0001-01-01' as Day, to: '9999-12-31' as Day }

/** Every habit that is not deleted, oldest first, one at a time with all of its completions. */
export async function* exportHabits(db: Database, user: string): AsyncGenerator<ExportedHabit[]> {
  const habits = await db.read
    .selectFrom('habits')
    .selectAll()
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const habit of habits) {
    const completions = await listCompletions(db, user, habit.id, everyDay)
    // Deleted since the list was read.
    if (!completions) continue
    yield [{ ...habitRows.toFile(habit), completions }]
  }
}

/** The part of a piece that concerns habits. */
interface Piece {
  habits?: readonly ImportedHabit[] | undefined
  completions?: readonly ImportedCompletions[] | undefined
}

/** `zoneIn` locks and returns the zone of a user's reminders: nobody else can change it until the write ends. */
export function habitImporter({
  zoneIn,
}: {
  zoneIn: (tx: Transaction<Tables>, user: string) => Promise<string>
}) {
  return {
    collection: habitRows.collection,
    async refuse(tx: Transaction<Tables>, user: string, { habits = [], completions = [] }: Piece) {
      // The first lock that an import takes. Everything that sets alarms locks the zone first, then the habits.
      await zoneIn(tx, user)
      const sent = new Set(habits.map(({ id }) => id))
      const expected = completions.map(({ habit_id }) => habit_id).filter((id) => !sent.has(id))
      const missing = await findMissingHabit(tx, user, expected)
      if (missing === undefined) return undefined
      const place = completions.findIndex(({ habit_id }) => habit_id === missing)
      const problem = "The habit for these completions doesn't exist"
      return { field: `completions.${place}.habit_id`, problem }
    },
    async importRows(
      tx: Transaction<Tables>,
      user: string,
      { habits = [], completions = [] }: Piece,
      now: Instant,
      adding: Adding,
    ) {
      const imported = await habitRows.importRows(tx, user, habits, now)
      const present = imported.added.union(imported.restored)
      if (present.size > 0) await setHabitAlarms(tx, user, await zoneIn(tx, user), now, present)
      const added = await importCompletions(tx, user, completions, now)
      adding.rows(completionLimit, added)
      return { habits: habitRows.countImported(imported, adding), completions: { added } }
    },
  }
}

/** The first of the habits that does not exist or is deleted. Locks the others until the write ends. */
async function findMissingHabit(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
): Promise<string | undefined> {
  // Everyone locks in the same order, so that two writes to the same habits never deadlock.
  const yieldPoint = createYieldPoint()
  for (const id of ids.toSorted()) {
    await yieldPoint()
    if (!(await lockHabit(tx, user, id))) return id
  }
  return undefined
}

/**
 * Completes the days that are not completed yet, and returns how many those were: a day that was undone here is completed
 * again. The habits must exist.
 */
export async function importCompletions(
  tx: Transaction<Tables>,
  user: string,
  completions: readonly ImportedCompletions[],
  now: Instant,
): Promise<number> {
  const daysOfHabit = new Map<string, Set<Day>>()
  for (const { habit_id, days } of completions) {
    daysOfHabit.set(habit_id, (daysOfHabit.get(habit_id) ?? new Set()).union(new Set(days)))
  }
  let added = 0
  const yieldPoint = createYieldPoint()
  for (const [id, days] of daysOfHabit) {
    const row = await lockHabit(tx, user, id)
    if (!row) throw new Error('A habit that completions are imported into has to be there')
    added += await completeDays(tx, row, [...days].toSorted(), now, yieldPoint)
  }
  return added
}

/** `days` are in order. */
async function completeDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  now: Instant,
  yieldPoint: () => Promise<void>,
): Promise<number> {
  const completed: Day[] = []
  for (const batch of inBatches(days)) {
    await yieldPoint()
    const changed = await tx
      .insertInto('completions')
      .values(
        batch.map((day) => ({
          user_id: row.user_id,
          habit_id: row.id,
          day,
          done: 1 as const,
          changed_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'habit_id', 'day'])
          .doUpdateSet({ done: 1, changed_at: now })
          .where('completions.done', '=', 0),
      )
      .returning('day')
      .execute()
    completed.push(...changed.map(({ day }) => day))
  }
  const [first] = completed.toSorted()
  if (first === undefined) return 0
  const invalidated = await invalidatedSum(tx, row, completed)
  await habitRows.update(
    tx,
    row,
    {
      updated_at: row.updated_at,
      ...(first < row.start_day ? { start_day: first } : {}),
      ...invalidated,
    },
    now,
  )
  return completed.length
}
