import type { Transaction } from 'kysely'
import { addDays, type Day, daysFrom, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Made } from '#platform/database/deletion.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import { daysOf } from './earlier-store.ts'
import { type HabitRow, type UserTime, updateHabit, writeHabit } from './habit-row-store.ts'

// Of one day of one habit the change with the later instant stays (`docs/merging.md`).

/**
 * In days. Of what is taken back and is no longer than this the days are written down that were not completed too: a
 * completion that was made before, and arrives later, is then let go.
 */
const longestPeriod = 7

interface Range {
  from: Day
  to: Day
}

/**
 * Toggles the current period: completed, every completion of it is taken back; otherwise today is completed.
 * Undefined when the habit is not there or was deleted later.
 */
export async function togglePeriod(
  db: Database,
  user: string,
  id: string,
  made: Made,
  time: UserTime,
): Promise<Habit | undefined> {
  return writeHabit(db, user, id, made, time, async (tx, row) => {
    const rhythm = rhythmOf(row, time)
    const period = { from: periodStart(time.today, rhythm), to: periodEnd(time.today, rhythm) }
    const completed = isCompleted(await daysOf(tx, row, period.from), time.today, rhythm)
    return completed ? takeBack(tx, row, period, made.at) : setDay(tx, row, time.today, 1, made.at)
  })
}

/** Sets one day, or turns it over when `completed` is left out. Undefined as for `togglePeriod`. */
export async function completeDay(
  db: Database,
  user: string,
  id: string,
  { day, completed, ...made }: Made & { day: Day; completed?: boolean | undefined },
  time: UserTime,
): Promise<Habit | undefined> {
  return writeHabit(db, user, id, made, time, async (tx, row) => {
    const wanted = completed ?? !(await isDone(tx, row, day))
    return setDay(tx, row, day, wanted ? 1 : 0, made.at)
  })
}

/** Takes back every completion of a range. Undefined as for `togglePeriod`. */
export async function takeBackCompletions(
  db: Database,
  user: string,
  id: string,
  range: Range,
  made: Made,
  time: UserTime,
): Promise<Habit | undefined> {
  return writeHabit(db, user, id, made, time, (tx, row) => takeBack(tx, row, range, made.at))
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
  const stored = await storeDays(tx, row, [day], done, at)
  // Back to a day that was ever completed, also where it was taken back since: in whichever order that arrives.
  const moved = done && day < row.start_day ? { start_day: day } : {}
  if (stored === 0) return updateHabit(tx, row, moved, at)
  return updateHabit(tx, row, { updated_at: row.updated_at, ...moved, ...forgottenSum(row, day) }, at)
}

async function takeBack(
  tx: Transaction<Tables>,
  row: HabitRow,
  { from, to }: Range,
  at: Instant,
): Promise<HabitRow> {
  if (to < addDays(from, longestPeriod)) await storeDays(tx, row, daysFrom(from, to), 0, at)
  else {
    await tx
      .updateTable('completions')
      .set({ done: 0, changed_at: at })
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('changed_at', '<=', at)
      .execute()
  }
  return updateHabit(tx, row, { updated_at: row.updated_at, ...forgottenSum(row, from) }, at)
}

/** Answers how many of the days had no later change. */
async function storeDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  done: 0 | 1,
  at: Instant,
): Promise<number> {
  const stored = await tx
    .insertInto('completions')
    .values(days.map((day) => ({ user_id: row.user_id, habit_id: row.id, day, done, changed_at: at })))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'habit_id', 'day'])
        .doUpdateSet({ done, changed_at: at })
        .where('completions.changed_at', '<=', at),
    )
    .returning('day')
    .execute()
  return stored.length
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
