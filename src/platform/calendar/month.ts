import { addDays, type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'

/** The same day of another month, or that month's last day if it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const first = firstOfMonth(day, months)
  const sameDay = dayNumber(first) + dayNumber(day) - dayNumber(firstOfMonth(day))
  return dayFromNumber(Math.min(sameDay, dayNumber(lastOfMonth(first))))
}

/** The first day of the month of `day`, or of the month that is `months` later. */
export function firstOfMonth(day: Day, months = 0): Day {
  return dayFromNumber(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months) / 86_400_000)
}

export function lastOfMonth(day: Day): Day {
  return addDays(firstOfMonth(day, 1), -1)
}

/** The six weeks that contain the month of `day`. Always six, so that a calendar keeps its height. */
export function weeksOfMonth(day: Day, weekStart: WeekStart): Day[][] {
  const firstWeek = weekNumber(firstOfMonth(day), weekStart)
  return Array.from({ length: 6 }, (_, week) => {
    const first = firstDayOfWeek(firstWeek + week, weekStart)
    return Array.from({ length: 7 }, (_, weekday) => addDays(first, weekday))
  })
}
