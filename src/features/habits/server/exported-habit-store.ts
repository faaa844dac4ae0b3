import type { Transaction } from 'kysely'
import { type Day, type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import { restoreRows, type TakenRows, uniqueById } from '#platform/database/import-rows.ts'
import { lettingOthersIn } from '#platform/database/letting-others-in.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { ExportedHabit, ImportedCompletions, ImportedHabit } from '../exported-habit.ts'
import { listCompletions } from './completion-store.ts'
import { forgottenSum } from './earlier-store.ts'
import { reminderColumns, reminderOf } from './habit-reminder-store.ts'
import { type HabitRow, lockHabit, updateHabit } from './habit-row-store.ts'

const everyDay = { from: '0001-01-01' as Day, to: '9999-12-31' as Day }

/** Every habit that is not deleted, in the order in which they were made, one at a time with all of its completions. */
export async function* exportHabits(db: Database, user: string): AsyncGenerator<ExportedHabit[]> {
  const habits = await db.read
    .selectFrom('habits')
    .select([
      'id',
      'name',
      'description',
      'frequency',
      'start_day',
      'reminder_time',
      'reminder_weekdays',
      'created_at',
    ])
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const habit of habits) {
    const completions = await listCompletions(db, user, habit.id, everyDay)
    // Deleted since the others were read.
    if (!completions) continue
    yield [
      {
        id: habit.id,
        name: habit.name,
        description: habit.description,
        frequency: habit.frequency,
        start_date: habit.start_day,
        reminder: reminderOf(habit),
        created_at: instantToWire(habit.created_at),
        completions,
      },
    ]
  }
}

/** Adds what is not there and takes deletions back. A habit that is there stays as it is. */
export async function importHabits(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly ImportedHabit[],
  now: Instant,
): Promise<TakenRows> {
  const rows = uniqueById(habits)
  const added = new Set<string>()
  const letOthersIn = lettingOthersIn()
  for (const batch of inBatches(rows)) {
    await letOthersIn()
    const inserted = await tx
      .insertInto('habits')
      .values(batch.map((habit) => toRow(user, habit, now)))
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .returning('id')
      .execute()
    for (const { id } of inserted) added.add(id)
  }
  const there = rows.map(({ id }) => id).filter((id) => !added.has(id))
  return { added, restored: await restoreRows(tx, 'habits', user, there, now) }
}

/** The first of the habits that is not there or deleted. Nobody else can change the others until the write ends. */
export async function findMissingHabit(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
): Promise<string | undefined> {
  // In one order for everybody: two that lock the same habits never wait for each other.
  const letOthersIn = lettingOthersIn()
  for (const id of ids.toSorted()) {
    await letOthersIn()
    if (!(await lockHabit(tx, user, id))) return id
  }
  return undefined
}

/**
 * Completes the days that are not completed yet, and answers how many those were: a day that was taken back here is done
 * again. The habits have to be there.
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
  const letOthersIn = lettingOthersIn()
  for (const [id, days] of daysOfHabit) {
    const row = await lockHabit(tx, user, id)
    if (!row) throw new Error('A habit that completions are imported into has to be there')
    added += await completeDays(tx, row, [...days].toSorted(), now, letOthersIn)
  }
  return added
}

/** `days` are in order. */
async function completeDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  now: Instant,
  letOthersIn: () => Promise<void>,
): Promise<number> {
  const completed: Day[] = []
  for (const batch of inBatches(days)) {
    await letOthersIn()
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
  const forgotten = await forgottenSum(tx, row, completed)
  await updateHabit(
    tx,
    row,
    {
      updated_at: row.updated_at,
      ...(first < row.start_day ? { start_day: first } : {}),
      ...forgotten,
    },
    now,
  )
  return completed.length
}

function toRow(user: string, habit: ImportedHabit, now: Instant) {
  return {
    user_id: user,
    id: habit.id,
    name: habit.name,
    name_at: now,
    description: habit.description,
    description_at: now,
    frequency: habit.frequency,
    frequency_at: now,
    start_day: habit.start_date,
    ...reminderColumns(habit.reminder),
    reminder_changed_at: now,
    earlier_rhythm: null,
    earlier_from: null,
    earlier_run: null,
    earlier_longest: null,
    created_at: Math.min(instantFromWire(habit.created_at), now),
    updated_at: now,
    deleted_at: null,
    deletion_changed_at: now,
  }
}
