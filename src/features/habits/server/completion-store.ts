import { setImmediate } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { addDays, type Day, daysFrom, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Made } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import type { Habit } from '../habit.ts'
import { isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import { isDone } from './done-days-store.ts'
import { daysSince, forgottenSum } from './earlier-store.ts'
import { type HabitRow, type UserTime, updateHabit, writeHabit } from './habit-row-store.ts'

// Of one day of one habit the change with the later instant stays (`docs/merging.md`).

/**
 * In days. Of what is taken back and is no longer than this the days are written down that were not completed too: a
 * completion that was made before, and arrives later, is then let go.
 */
const longestPeriod = 7

/** Few enough that others are answered between two readings of a long history. */
const readAtOnce = 5_000

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
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, made, time, async (tx, row, _zone, adding) => {
    const rhythm = rhythmOf(row, time)
    const period = { from: periodStart(time.today, rhythm), to: periodEnd(time.today, rhythm) }
    const completed = isCompleted(await daysSince(tx, row, period.from), time.today, rhythm)
    return completed
      ? takeBack(tx, row, period, made.at, adding)
      : setDay(tx, row, time.today, 1, made.at, adding)
  })
}

/** Sets one day, or turns it over when `completed` is left out. Undefined as for `togglePeriod`. */
export async function completeDay(
  db: Database,
  user: string,
  id: string,
  { day, completed, ...made }: Made & { day: Day; completed?: boolean | undefined },
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, made, time, async (tx, row, _zone, adding) => {
    const wanted = completed ?? !(await isDayDone(tx, row, day))
    return setDay(tx, row, day, wanted ? 1 : 0, made.at, adding)
  })
}

/** Takes back every completion of a range, of a year at most. Undefined as for `togglePeriod`. */
export async function takeBackCompletions(
  db: Database,
  user: string,
  id: string,
  range: Range,
  made: Made,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, made, time, (tx, row, _zone, adding) =>
    takeBack(tx, row, range, made.at, adding),
  )
}

/** The days completed in a range, in order; undefined when the habit is not there or deleted. */
export async function listCompletions(
  db: Database,
  user: string,
  id: string,
  { from, to }: Range,
): Promise<Day[] | undefined> {
  const days: Day[] = []
  for (let next = from; ; ) {
    const rows = await db.read
      .selectFrom('habits')
      .leftJoin('completions', (join) =>
        join
          .onRef('completions.user_id', '=', 'habits.user_id')
          .onRef('completions.habit_id', '=', 'habits.id')
          .on(isDone)
          .on('completions.day', '>=', next)
          .on('completions.day', '<=', to),
      )
      .select('completions.day')
      .where('habits.user_id', '=', user)
      .where('habits.id', '=', id)
      .where('habits.deleted_at', 'is', null)
      .orderBy('completions.day')
      .limit(readAtOnce)
      .execute()
    if (rows.length === 0) return undefined
    for (const { day } of rows) if (day !== null) days.push(day)
    const last = days.at(-1)
    if (rows.length < readAtOnce || last === undefined) return days
    next = addDays(last, 1)
    await setImmediate()
  }
}

async function setDay(
  tx: Transaction<Tables>,
  row: HabitRow,
  day: Day,
  done: 0 | 1,
  at: Instant,
  adding: Adding,
): Promise<HabitRow> {
  const stored = await storeDays(tx, row, [day], done, at, adding)
  // Back to a day that was ever completed, also where it was taken back since: in whichever order that arrives.
  const moved = done && day < row.start_day ? { start_day: day } : {}
  if (stored === 0) return updateHabit(tx, row, moved, at)
  const forgotten = await forgottenSum(tx, row, [day])
  return updateHabit(tx, row, { updated_at: row.updated_at, ...moved, ...forgotten }, at)
}

async function takeBack(
  tx: Transaction<Tables>,
  row: HabitRow,
  { from, to }: Range,
  at: Instant,
  adding: Adding,
): Promise<HabitRow> {
  if (to < addDays(from, longestPeriod)) await storeDays(tx, row, daysFrom(from, to), 0, at, adding)
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
  const forgotten = await forgottenSum(tx, row, daysFrom(from, to))
  return updateHabit(tx, row, { updated_at: row.updated_at, ...forgotten }, at)
}

/** Answers how many of the days had no later change. */
async function storeDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  done: 0 | 1,
  at: Instant,
  adding: Adding,
): Promise<number> {
  let wanted = days
  let added = days.length
  if (await adding.isNear('completions', days.length)) {
    const there = await storedDays(tx, row, days)
    // To take back what was never done takes no room that there is not.
    if (!done) wanted = days.filter((day) => there.has(day))
    added = wanted.length - there.size
  }
  adding.rows('completions', added)
  if (wanted.length === 0) return 0
  const stored = await tx
    .insertInto('completions')
    .values(wanted.map((day) => ({ user_id: row.user_id, habit_id: row.id, day, done, changed_at: at })))
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

/** Those of the days that have a row, done or taken back. */
async function storedDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
): Promise<ReadonlySet<Day>> {
  const stored = await tx
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', 'in', days)
    .execute()
  return new Set(stored.map(({ day }) => day))
}

async function isDayDone(tx: Transaction<Tables>, row: HabitRow, day: Day): Promise<boolean> {
  const completion = await tx
    .selectFrom('completions')
    .select('done')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', '=', day)
    .executeTakeFirst()
  return completion?.done === 1
}
