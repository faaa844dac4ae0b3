import { type Day, dayNumber } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'

/** How near a due day is, the nearest first. */
export const nearnesses = ['overdue', 'today', 'tomorrow', 'this-week', 'later', 'none'] as const
export type Nearness = (typeof nearnesses)[number]

/** 'this-week' is what the person's own week still has after tomorrow. */
export function nearnessOf(due: Day | null, today: Day, weekStart: WeekStart): Nearness {
  if (due === null) return 'none'
  const days = daysUntil(due, today)
  if (days < 0) return 'overdue'
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  return due < firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart) ? 'this-week' : 'later'
}

/** Below zero for a day that is over. */
export function daysUntil(due: Day, today: Day): number {
  return dayNumber(due) - dayNumber(today)
}
