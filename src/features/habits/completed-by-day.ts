import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import type { Frequency } from './streak.ts'

export interface DayOfHabits {
  day: Day
  completed: number
  due: number
}

/** All daily habits together: on how many each day was completed, and when each began. */
export interface DailyHistory {
  completed: ReadonlyMap<Day, number>
  startDays: readonly Day[]
}

/** Its days completed, in order, over the whole periods that the range touches. */
export interface HabitHistory {
  startDay: Day
  days: readonly Day[]
}

interface DayRange {
  from: Day
  to: Day
}

/**
 * Every day of the range with the habits completed and due on it.
 * A daily habit is due on each of its days up to today. A week of a weekly habit is due once, placed on the day of its first
 * completion, or on its last day when there was none and it is over.
 */
export function completedByDay(
  daily: DailyHistory,
  weekly: readonly HabitHistory[],
  range: DayRange,
  today: Day,
  weekStart: WeekStart,
): DayOfHabits[] {
  const days = begunByDay(daily.startDays, range, today).map(({ day, begun }): DayOfHabits => {
    const completed = daily.completed.get(day) ?? 0
    return { day, completed, due: Math.max(begun, completed) }
  })
  const byDay = new Map(days.map((each) => [each.day, each]))
  for (const habit of weekly) {
    for (const [day, completed] of countedWeeks(habit, range, today, weekStart)) {
      const counted = byDay.get(day)
      if (!counted) continue
      counted.due += 1
      if (completed) counted.completed += 1
    }
  }
  return days
}

/** The same by habit: every day of the range with those due on it, in their order. */
export function dueByDay<Habit extends HabitHistory & { frequency: Frequency }>(
  habits: readonly Habit[],
  range: DayRange,
  today: Day,
  weekStart: WeekStart,
): { day: Day; habits: { habit: Habit; completed: boolean }[] }[] {
  const counted = habits.map((habit) => ({
    habit,
    days:
      habit.frequency === 'daily'
        ? countedDays(habit, range, today)
        : countedWeeks(habit, range, today, weekStart),
  }))
  return daysFrom(range.from, range.to).map((day) => ({
    day,
    habits: counted.flatMap(({ habit, days }) => {
      const completed = days.get(day)
      return completed === undefined ? [] : [{ habit, completed }]
    }),
  }))
}

/** The days of the range on which a daily habit is counted, and whether it was completed there. */
function countedDays({ startDay, days }: HabitHistory, range: DayRange, today: Day): Map<Day, boolean> {
  const done = new Set(days)
  return new Map(
    begunByDay([startDay], range, today)
      .filter(({ day, begun }) => begun > 0 || done.has(day))
      .map(({ day }) => [day, done.has(day)]),
  )
}

/** The days on which the weeks of a weekly habit are counted, and whether it was completed there. */
function countedWeeks(
  habit: HabitHistory,
  range: DayRange,
  today: Day,
  weekStart: WeekStart,
): Map<Day, boolean> {
  const counted = new Map<Day, boolean>()
  const done = new Set<number>()
  for (const day of habit.days) {
    const week = weekNumber(day, weekStart)
    if (!done.has(week)) counted.set(day, true)
    done.add(week)
  }
  const begin = range.from > habit.startDay ? range.from : habit.startDay
  for (let week = weekNumber(begin, weekStart); ; week += 1) {
    const last = addDays(firstDayOfWeek(week, weekStart), 6)
    if (last >= today || last > range.to) return counted
    if (!done.has(week)) counted.set(last, false)
  }
}

/** Every day of the range with how many daily habits had begun by then; a day after today is due only where it is done. */
function begunByDay(startDays: readonly Day[], range: DayRange, today: Day): { day: Day; begun: number }[] {
  const inOrder = startDays.toSorted()
  let begun = 0
  return daysFrom(range.from, range.to).map((day) => {
    while (begun < inOrder.length && (inOrder[begun] ?? day) <= day) begun += 1
    // After a flight west: a day that is not there yet can be done already.
    return { day, begun: day > today ? 0 : begun }
  })
}
