import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'

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

/** Its days completed, in order, over the whole weeks that the range touches. */
export interface WeeklyHistory {
  startDay: Day
  days: readonly Day[]
}

/**
 * Every day of the range with the habits completed and due on it.
 * A daily habit is due on each of its days up to today. A week of a weekly habit is due once, placed on the day of its first
 * completion, or on its last day when there was none and it is over.
 */
export function completedByDay(
  daily: DailyHistory,
  weekly: readonly WeeklyHistory[],
  range: { from: Day; to: Day },
  today: Day,
  weekStart: WeekStart,
): DayOfHabits[] {
  const startDays = daily.startDays.toSorted()
  let begun = 0
  const days = daysFrom(range.from, range.to).map((day): DayOfHabits => {
    while (begun < startDays.length && (startDays[begun] ?? day) <= day) begun += 1
    const completed = daily.completed.get(day) ?? 0
    // After a flight west: a day that is not there yet is due where it is done.
    return { day, completed, due: day > today ? completed : begun }
  })

  const byDay = new Map(days.map((each) => [each.day, each]))
  for (const habit of weekly) countWeeks(habit, range, today, weekStart, byDay)
  return days
}

function countWeeks(
  habit: WeeklyHistory,
  range: { from: Day; to: Day },
  today: Day,
  weekStart: WeekStart,
  byDay: ReadonlyMap<Day, DayOfHabits>,
): void {
  const done = new Set<number>()
  for (const day of habit.days) {
    const week = weekNumber(day, weekStart)
    const counted = done.has(week) ? undefined : byDay.get(day)
    done.add(week)
    if (!counted) continue
    counted.completed += 1
    counted.due += 1
  }
  const begin = range.from > habit.startDay ? range.from : habit.startDay
  for (let week = weekNumber(begin, weekStart); ; week += 1) {
    const last = addDays(firstDayOfWeek(week, weekStart), 6)
    if (last >= today || last > range.to) return
    const missed = done.has(week) ? undefined : byDay.get(last)
    if (missed) missed.due += 1
  }
}
