import type { Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import { daysOf } from './earlier-store.ts'
import { freshHabit, type HabitRow, lockHabit, type UserTime, updateHabit } from './habit-store.ts'

// Of one day of one habit the change with the later instant stays; of two with the same instant the one that arrives later.

interface Range {
  from: Day
  to: Day
}

/**
 * Toggles the current period: completed, every completion of it is taken back; otherwise today is completed.
 * Undefined when the habit is not there or deleted.
 */
export async function togglePeriod(
  db: Database,
  user: string,
  id: string,
  at: Instant,
  time: UserTime,
): Promise<Habit | undefined> {
  return db.writeFor(user, ['habits'], async (tx) => {
    const row = await lockHabit(tx, user, id)
    if (!row) return undefined
    const rhythm = rhythmOf(row, time)
    const period = { from: periodStart(time.today, rhythm), to: periodEnd(time.today, rhythm) }
    if (isCompleted(await daysOf(tx, row, period.from), time.today, rhythm)) {
      return freshHabit(tx, await takeBack(tx, row, period, at), time)
    }
    return freshHabit(tx, await setDay(tx, row, time.today, 1, at), time)
  })
}

/** Sets one day, or turns it over when `completed` is left out. Undefined when the habit is not there or deleted. */
export async function completeDay(
  db: Database,
  user: string,
  id: string,
  { day, completed, at }: { day: Day; completed?: boolean | undefined; at: Instant },
  time: UserTime,
): Promise<Habit | undefined> {
  return db.writeFor(user, ['habits'], async (tx) => {
    const row = await lockHabit(tx, user, id)
    if (!row) return undefined
    const wanted = completed ?? !(await isDone(tx, row, day))
    return freshHabit(tx, await setDay(tx, row, day, wanted ? 1 : 0, at), time)
  })
}

/** Takes back every completion of a range. Undefined when the habit is not there or deleted. */
export async function takeBackCompletions(
  db: Database,
  user: string,
  id: string,
  range: Range,
  at: Instant,
  time: UserTime,
): Promise<Habit | undefined> {
  return db.writeFor(user, ['habits'], async (tx) => {
    const row = await lockHabit(tx, user, id)
    return row && freshHabit(tx, await takeBack(tx, row, range, at), time)
  })
}

/** The days completed in a range, in order; undefined when the habit is not there or deleted. */
export async function listCompletions(
  db: Database,
  user: string,
  id: string,
  { from, to }: Range,
): Promise<Day[] | undefined> {
  const rows = await db.read
    .selectFrom('habits')
    .leftJoin('completions', (join) =>
      join
        .onRef('completions.user_id', '=', 'habits.user_id')
        .onRef('completions.habit_id', '=', 'habits.id')
        .on('completions.done', '=', 1)
        .on('completions.day', '>=', from)
        .on('completions.day', '<=', to),
    )
    .select('completions.day')
    .where('habits.user_id', '=', user)
    .where('habits.id', '=', id)
    .where('habits.deleted_at', 'is', null)
    .orderBy('completions.day')
    .execute()
  if (rows.length === 0) return undefined
  return rows.flatMap(({ day }) => (day === null ? [] : [day]))
}

async function setDay(
  tx: Transaction<Tables>,
  row: HabitRow,
  day: Day,
  done: 0 | 1,
  at: Instant,
): Promise<HabitRow> {
  const stored = await tx
    .insertInto('completions')
    .values({ user_id: row.user_id, habit_id: row.id, day, done, changed_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'habit_id', 'day'])
        .doUpdateSet({ done, changed_at: at })
        .where('completions.changed_at', '<=', at),
    )
    .returning('day')
    .executeTakeFirst()
  if (!stored) return row
  return updateHabit(
    tx,
    row,
    {
      updated_at: row.updated_at,
      ...(done && day < row.start_day ? { start_day: day } : {}),
      ...forgottenSum(row, day),
    },
    at,
  )
}

async function takeBack(
  tx: Transaction<Tables>,
  row: HabitRow,
  { from, to }: Range,
  at: Instant,
): Promise<HabitRow> {
  await tx
    .updateTable('completions')
    .set({ done: 0, changed_at: at })
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('changed_at', '<=', at)
    .execute()
  return updateHabit(tx, row, { updated_at: row.updated_at, ...forgottenSum(row, from) }, at)
}

/** Under the sum lies the day that changed: the sum goes, in the same transaction. */
export function forgottenSum(row: HabitRow, day: Day): Partial<HabitRow> {
  if (row.earlier_from === null || day >= row.earlier_from) return {}
  return { earlier_rhythm: null, earlier_from: null, earlier_run: null, earlier_longest: null }
}

async function isDone(tx: Transaction<Tables>, row: HabitRow, day: Day): Promise<boolean> {
  const completion = await tx
    .selectFrom('completions')
    .select('done')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', '=', day)
    .executeTakeFirst()
  return completion?.done === 1
}
