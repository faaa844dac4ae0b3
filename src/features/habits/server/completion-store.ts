import { setImmediate } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { addDays, type Day, daysFrom, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChangeStamp } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import type { Habit } from '../habit.ts'
import { isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import { isDone } from './done-days-store.ts'
import { daysSince, invalidatedSum } from './earlier-store.ts'
import { type HabitRow, type UserTime, writeHabit } from './habit-row-store.ts'
import { completionLimit, habitRows } from './habit-rows.ts'

// For each day of a habit, the change with the latest instant wins (`docs/merging.md`).

/**
 * In days. Undoing a range up to this long also stores the days that were not completed, so that a completion that was made
 * before and arrives later is ignored.
 */
const longestPeriod = 7

/** Few enough that other requests are served between two reads of a long history. */
const readAtOnce = 5_000

interface Range {
  from: Day
  to: Day
}

/**
 * Toggles the current period: if it is completed, all of its completions are undone; otherwise today is completed.
 * Undefined if the habit does not exist or was deleted later.
 */
export async function togglePeriod(
  db: Database,
  user: string,
  id: string,
  stamp: ChangeStamp,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, stamp, time, async (tx, row, _zone, adding) => {
    const rhythm = rhythmOf(row, time)
    const period = { from: periodStart(time.today, rhythm), to: periodEnd(time.today, rhythm) }
    const completed = isCompleted(await daysSince(tx, row, period.from), time.today, rhythm)
    return completed
      ? undoRange(tx, row, period, stamp.at, adding)
      : setDay(tx, row, time.today, 1, stamp.at, adding)
  })
}

/** Sets one day, or toggles it if `completed` is left out. Undefined as for `togglePeriod`. */
export async function completeDay(
  db: Database,
  user: string,
  id: string,
  { day, completed, ...stamp }: ChangeStamp & { day: Day; completed?: boolean | undefined },
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, stamp, time, async (tx, row, _zone, adding) => {
    const wanted = completed ?? !(await isDayDone(tx, row, day))
    return setDay(tx, row, day, wanted ? 1 : 0, stamp.at, adding)
  })
}

/** Undoes every completion in a range of at most a year. Undefined as for `togglePeriod`. */
export async function undoCompletions(
  db: Database,
  user: string,
  id: string,
  range: Range,
  stamp: ChangeStamp,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, stamp, time, (tx, row, _zone, adding) =>
    undoRange(tx, row, range, stamp.at, adding),
  )
}

/** The days completed in a range, in order; undefined if the habit does not exist or is deleted. */
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
  // The start moves back to any day that was ever completed, even if that was undone since: so the order of arrival does not matter.
  const movedStart = done && day < row.start_day ? { start_day: day } : {}
  if (stored === 0) return habitRows.update(tx, row, movedStart, at)
  const invalidated = await invalidatedSum(tx, row, [day])
  return habitRows.update(tx, row, { updated_at: row.updated_at, ...movedStart, ...invalidated }, at)
}

async function undoRange(
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
  const invalidated = await invalidatedSum(tx, row, daysFrom(from, to))
  return habitRows.update(tx, row, { updated_at: row.updated_at, ...invalidated }, at)
}

/** Returns how many of the days had no later change. */
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
  if (await adding.isNear(completionLimit, days.length)) {
    const existing = await storedDays(tx, row, days)
    // Undoing days that were never done must not take room that is not there.
    if (!done) wanted = days.filter((day) => existing.has(day))
    added = wanted.length - existing.size
  }
  adding.rows(completionLimit, added)
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

/** The days that have a row, done or undone. */
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
