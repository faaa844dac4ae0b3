import { createHash } from 'node:crypto'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { betweenStretches } from '#platform/database/work.ts'
import {
  completedByDay,
  type DayOfHabits,
  dueByDay,
  type HabitHistory,
  stretchesOf,
} from '../completed-by-day.ts'
import type { HabitsDue } from '../habit.ts'
import { type Frequency, isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import { isDone } from './done-days-store.ts'
import type { UserTime } from './habit-row-store.ts'

// For many habits over many days, one stretch of days is read at a time, and other requests are served in between: on SQLite,
// reading everything at once would make them wait too long. Each stretch is a consistent snapshot. A change between two of them
// gives the user a new revision, so that the client requests this again.

/** Habits times days per read: a few milliseconds' worth. */
const readAtOnce = 7_000
/** Habits times days per response. */
const returnedAtOnce = 20_000
/** Few enough that little is held in memory at once, however long the names are. */
const namesAtOnce = 100

/** What was due and completed on every day of a range, all habits together. */
export async function completedHabits(
  db: Database,
  user: string,
  range: DayRange,
  time: UserTime,
): Promise<DayOfHabits[]> {
  const habits = await db.read
    .selectFrom('habits')
    .select(['id', 'frequency', 'start_day'])
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .execute()
  const days: DayOfHabits[] = []
  for (const stretch of stretchesOf(range, habits.length, readAtOnce, time.weekStart)) {
    if (stretch.from > range.from) await betweenStretches()
    for (const day of await completedInStretch(db, user, habits, stretch, time)) days.push(day)
  }
  return days
}

interface CountedHabit {
  id: string
  frequency: Frequency
  start_day: Day
}

async function completedInStretch(
  db: Database,
  user: string,
  habits: readonly CountedHabit[],
  range: DayRange,
  { today, weekStart }: UserTime,
): Promise<DayOfHabits[]> {
  const weeks = rhythmOf({ frequency: 'weekly' }, { weekStart })
  return db.snapshot(async (tx) => {
    const completionsOf = (frequency: Frequency) =>
      tx
        .selectFrom('completions')
        .where('user_id', '=', user)
        .where(isDone)
        .where('habit_id', 'in', (habits) =>
          habits
            .selectFrom('habits')
            .select('id')
            .where('user_id', '=', user)
            .where('deleted_at', 'is', null)
            .where('frequency', '=', frequency),
        )

    const daily = await completionsOf('daily')
      .select(({ fn }) => ['day', fn.countAll<number>().as('count')])
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .groupBy('day')
      .execute()

    const weekly = await completionsOf('weekly')
      .select(['habit_id', 'day'])
      .where('day', '>=', periodStart(range.from, weeks))
      .where('day', '<=', periodEnd(range.to, weeks))
      // Habit by habit: by day alone, the query would walk through the completions of all daily habits to find these few. Over
      // a few days, as with many habits, seeking each habit would take longer.
      .$if(dayNumber(range.to) - dayNumber(range.from) > 31, (query) => query.orderBy('habit_id'))
      .orderBy('day')
      .execute()

    const daysByHabit = Map.groupBy(weekly, ({ habit_id }) => habit_id)
    return completedByDay(
      {
        completed: new Map(daily.map(({ day, count }) => [day, count])),
        startDays: habits.filter((habit) => habit.frequency === 'daily').map((habit) => habit.start_day),
      },
      habits
        .filter((habit) => habit.frequency === 'weekly')
        .map((habit) => ({
          startDay: habit.start_day,
          days: (daysByHabit.get(habit.id) ?? []).map(({ day }) => day),
        })),
      range,
      today,
      weekStart,
    )
  })
}

/** `names` is undefined if the client already has them. */
interface DuePage {
  page: Omit<HabitsDue, 'habits'>
  names: AsyncIterable<NamedHabit[]> | undefined
}

type NamedHabit = NonNullable<HabitsDue['habits']>[number]

/**
 * The habits that were due on every day of a range, and whether each was completed, oldest first. With many habits, only the
 * first days and where to continue; with the names of all of them, unless the request continues with the `knownList` list.
 */
export async function dueHabits(
  db: Database,
  user: string,
  range: DayRange,
  knownList: string | undefined,
  { today, weekStart }: UserTime,
): Promise<DuePage> {
  const habits = await db.read
    .selectFrom('habits')
    .select(['id', 'frequency', 'start_day'])
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const [page = range] = stretchesOf(range, habits.length, returnedAtOnce, weekStart)
  const days: HabitsDue['days'] = []
  for (const stretch of stretchesOf(page, habits.length, readAtOnce, weekStart)) {
    if (stretch.from > page.from) await betweenStretches()
    const histories = await historiesIn(db, user, habits, stretch, weekStart)
    for (const { day, habits: due } of dueByDay(histories, stretch, today, weekStart)) {
      const completed: number[] = []
      const missed: number[] = []
      for (const each of due) (each.completed ? completed : missed).push(each.habit.place)
      days.push({ day, completed, missed })
    }
  }
  const list = tagOf(habits)
  return {
    page: { list, days, next: page.to < range.to ? addDays(page.to, 1) : null },
    names: list === knownList ? undefined : namesOf(db, user, habits),
  }
}

/** Stays the same for as long as each habit has the same place. */
function tagOf(habits: readonly CountedHabit[]): string {
  const places = habits.map(({ id, frequency }) => `${id} ${frequency}`).join()
  return createHash('sha256').update(places).digest('base64url').slice(0, 22)
}

/** In the order of their places. A habit that is permanently deleted meanwhile keeps its place, without a name. */
async function* namesOf(
  db: Database,
  user: string,
  habits: readonly CountedHabit[],
): AsyncGenerator<NamedHabit[]> {
  for (let next = 0; next < habits.length; next += namesAtOnce) {
    const some = habits.slice(next, next + namesAtOnce)
    const rows = await db.read
      .selectFrom('habits')
      .select(['id', 'name'])
      .where('user_id', '=', user)
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
    const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
    yield some.map(({ id, frequency }) => ({ id, name: nameOf.get(id) ?? '', frequency }))
  }
}

interface HistoryOfHabit extends HabitHistory {
  /** in the list of all habits */
  place: number
  frequency: Frequency
}

async function historiesIn(
  db: Database,
  user: string,
  habits: readonly CountedHabit[],
  range: DayRange,
  weekStart: WeekStart,
): Promise<HistoryOfHabit[]> {
  const weeks = rhythmOf({ frequency: 'weekly' }, { weekStart })
  const completions = await db.read
    .selectFrom('completions')
    .select(['habit_id', 'day'])
    .where('user_id', '=', user)
    .where(isDone)
    .where('day', '>=', periodStart(range.from, weeks))
    .where('day', '<=', periodEnd(range.to, weeks))
    .orderBy('day')
    .execute()
  const daysByHabit = Map.groupBy(completions, ({ habit_id }) => habit_id)
  return habits.map(({ id, frequency, start_day }, place) => ({
    place,
    frequency,
    startDay: start_day,
    days: (daysByHabit.get(id) ?? []).map(({ day }) => day),
  }))
}

/** How many habits are completed in their current period, and how many there are. */
export async function countCompletedHabits(
  db: Database,
  user: string,
  { today, weekStart }: UserTime,
): Promise<{ count: number; total: number }> {
  const week = rhythmOf({ frequency: 'weekly' }, { weekStart })
  const rows = await db.read
    .selectFrom('habits')
    .leftJoin('completions', (join) =>
      join
        .onRef('completions.user_id', '=', 'habits.user_id')
        .onRef('completions.habit_id', '=', 'habits.id')
        .on(isDone)
        .on('completions.day', '>=', periodStart(today, week))
        .on('completions.day', '<=', periodEnd(today, week)),
    )
    .select(['habits.id', 'habits.frequency', 'completions.day'])
    .where('habits.user_id', '=', user)
    .where('habits.deleted_at', 'is', null)
    .execute()
  const completed = rows.filter(
    ({ frequency, day }) => day !== null && isCompleted([day], today, rhythmOf({ frequency }, { weekStart })),
  )
  return { count: new Set(completed.map(({ id }) => id)).size, total: new Set(rows.map(({ id }) => id)).size }
}
