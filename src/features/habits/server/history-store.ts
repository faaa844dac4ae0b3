import type { Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { completedByDay, type DayOfHabits, dueByDay } from '../completed-by-day.ts'
import type { HabitsDue } from '../habit.ts'
import { type Frequency, isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import type { UserTime } from './habit-row-store.ts'

/** What was due and completed on every day of a range, all habits together. */
export async function completedHabits(
  db: Database,
  user: string,
  range: { from: Day; to: Day },
  { today, weekStart }: UserTime,
): Promise<DayOfHabits[]> {
  const weeks = rhythmOf({ frequency: 'weekly' }, { weekStart })
  return db.snapshot(async (tx) => {
    const habits = await tx
      .selectFrom('habits')
      .select(['id', 'frequency', 'start_day'])
      .where('user_id', '=', user)
      .where('deleted_at', 'is', null)
      .execute()
    const completionsOf = (frequency: Frequency) =>
      tx
        .selectFrom('completions')
        .where('user_id', '=', user)
        .where('done', '=', 1)
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
      // Habit by habit: by day alone, those of all daily habits would be walked through for the few of these.
      .orderBy('habit_id')
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

/** The habits that were due on every day of a range, and whether each was completed, in the order in which they were made. */
export async function dueHabits(
  db: Database,
  user: string,
  range: { from: Day; to: Day },
  { today, weekStart }: UserTime,
): Promise<HabitsDue['days']> {
  const weeks = rhythmOf({ frequency: 'weekly' }, { weekStart })
  return db.snapshot(async (tx) => {
    const habits = await tx
      .selectFrom('habits')
      .select(['id', 'name', 'frequency', 'start_day'])
      .where('user_id', '=', user)
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const completions = await tx
      .selectFrom('completions')
      .select(['habit_id', 'day'])
      .where('user_id', '=', user)
      .where('done', '=', 1)
      .where('day', '>=', periodStart(range.from, weeks))
      .where('day', '<=', periodEnd(range.to, weeks))
      .orderBy('day')
      .execute()
    const daysByHabit = Map.groupBy(completions, ({ habit_id }) => habit_id)
    const histories = habits.map(({ start_day, ...habit }) => ({
      ...habit,
      startDay: start_day,
      days: (daysByHabit.get(habit.id) ?? []).map(({ day }) => day),
    }))
    return dueByDay(histories, range, today, weekStart).map(({ day, habits }) => ({
      day,
      habits: habits.map(({ habit: { id, name, frequency }, completed }) => ({
        id,
        name,
        frequency,
        completed,
      })),
    }))
  })
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
        .on('completions.done', '=', 1)
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
