import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import type { Frequency } from './streak.ts'

export interface DayOfHabits {
  day: Day
  completed: number
  due: number
}

/** All daily habits together: how many were completed on each day, and when each began. */
export interface DailyHistory {
  completed: ReadonlyMap<Day, number>
  startDays: readonly Day[]
}

/** The completed days, in order, of every period that the range touches. */
export interface HabitHistory {
  startDay: Day
  days: readonly Day[]
}

/**
 * Every day of the range, with how many habits were completed and due on it. A daily habit is due on each of its days
 * up to today. A week of a weekly habit is due once, on the day of its first completion, or on its last day if there
 * was none and the week is over.
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
  const weeks = weeksThatEnd(range, today, weekStart)
  for (const habit of weekly) {
    for (const [day, completed] of countedWeeks(habit, weeks, weekStart)) {
      const counted = byDay.get(day)
      if (!counted) continue
      counted.due += 1
      if (completed) counted.completed += 1
    }
  }
  return days
}

/** The same by habit: every day of the range with the habits due on it, in their order. */
export function dueByDay<Habit extends HabitHistory & { frequency: Frequency }>(
  habits: readonly Habit[],
  range: DayRange,
  today: Day,
  weekStart: WeekStart,
): { day: Day; habits: { habit: Habit; completed: boolean }[] }[] {
  const inRange = daysFrom(range.from, range.to)
  const weeks = weeksThatEnd(range, today, weekStart)
  const counted = habits.map((habit) => ({
    habit,
    days:
      habit.frequency === 'daily'
        ? countedDays(habit, inRange, today)
        : countedWeeks(habit, weeks, weekStart),
  }))
  return inRange.map((day) => ({
    day,
    habits: counted.flatMap(({ habit, days }) => {
      const completed = days.get(day)
      return completed === undefined ? [] : [{ habit, completed }]
    }),
  }))
}

/**
 * Splits a range into stretches so short that `habits` times the days of each is at most `most`, and of whole weeks
 * where those are short enough: a week that is split is processed twice.
 */
export function* stretchesOf(
  range: DayRange,
  habits: number,
  most: number,
  weekStart: WeekStart,
): Generator<DayRange> {
  const days = Math.max(1, Math.floor(most / Math.max(1, habits)))
  for (let from = range.from; from <= range.to; ) {
    const last = addDays(from, days - 1)
    const weekEnd = addDays(firstDayOfWeek(weekNumber(addDays(last, 1), weekStart), weekStart), -1)
    const end = weekEnd < from ? last : weekEnd
    const to = last >= range.to ? range.to : end
    yield { from, to }
    from = addDays(to, 1)
  }
}

/** The days of the range on which a daily habit is counted, and whether it was completed on each. */
function countedDays(
  { startDay, days }: HabitHistory,
  inRange: readonly Day[],
  today: Day,
): Map<Day, boolean> {
  const done = new Set(days)
  return new Map(
    inRange
      // After a flight west, a day that has not begun here may already be done.
      .filter((day) => (day >= startDay && day <= today) || done.has(day))
      .map((day) => [day, done.has(day)]),
  )
}

/** The days on which the weeks of a weekly habit are counted, and whether each was completed. */
function countedWeeks(
  { startDay, days }: HabitHistory,
  weeksThatEnd: readonly Week[],
  weekStart: WeekStart,
): Map<Day, boolean> {
  const counted = new Map<Day, boolean>()
  const done = new Set<number>()
  for (const day of days) {
    const week = weekNumber(day, weekStart)
    if (!done.has(week)) counted.set(day, true)
    done.add(week)
  }
  const first = weekNumber(startDay, weekStart)
  for (const { week, last } of weeksThatEnd) {
    if (week >= first && !done.has(week)) counted.set(last, false)
  }
  return counted
}

interface Week {
  week: number
  last: Day
}

/** The weeks that end in the range and are over. */
function weeksThatEnd(range: DayRange, today: Day, weekStart: WeekStart): Week[] {
  const weeks: Week[] = []
  for (let week = weekNumber(range.from, weekStart); ; week += 1) {
    const last = addDays(firstDayOfWeek(week, weekStart), 6)
    if (last >= today || last > range.to) return weeks
    weeks.push({ week, last })
  }
}

/** Every day of the range with how many daily habits had begun by then; a day after today is due only where it is done. */
function begunByDay(startDays: readonly Day[], range: DayRange, today: Day): { day: Day; begun: number }[] {
  const inOrder = startDays.toSorted()
  let begun = 0
  return daysFrom(range.from, range.to).map((day) => {
    while (begun < inOrder.length && (inOrder[begun] ?? day) <= day) begun += 1
    // After a flight west, a day that has not begun here may already be done.
    return { day, begun: day > today ? 0 : begun }
  })
}
