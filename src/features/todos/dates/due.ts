import { type Day, dayNumber } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'

/** Groups of due days, the earliest first. */
export const dueGroups = ['overdue', 'today', 'tomorrow', 'this-week', 'later', 'none'] as const
export type DueGroup = (typeof dueGroups)[number]

/** The group of a due day. 'this-week' is the rest of the person's own week after tomorrow. */
export function dueGroupOf(due: Day | null, today: Day, weekStart: WeekStart): DueGroup {
  if (due === null) return 'none'
  const days = daysUntil(due, today)
  if (days < 0) return 'overdue'
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  return due < firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart) ? 'this-week' : 'later'
}

/** Days from today until the due day; negative if it is in the past. */
export function daysUntil(due: Day, today: Day): number {
  return dayNumber(due) - dayNumber(today)
}
