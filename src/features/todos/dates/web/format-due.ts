import type { TodoReminder } from '#features/todos/todo/todo-reminder.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WallTime } from '#platform/calendar/wall-time.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { counted } from '#platform/format/words.ts'
import { type DueGroup, daysUntil } from '../due.ts'

export const dueGroupNames: Record<DueGroup, string> = {
  overdue: 'Overdue',
  today: 'Today',
  tomorrow: 'Tomorrow',
  'this-week': 'This week',
  later: 'Later',
  none: 'No due date',
}

/** '2 days late', 'Today', 'Tomorrow', 'Fri 27 Nov', with the year if it is not the current one. */
export function formatDue(due: Day, today: Day): string {
  const days = daysUntil(due, today)
  if (days < 0) return `${counted(-days, 'day')} late`
  return formatDay(due, today)
}

/**
 * Only the time if the reminder is on the due day, which is shown beside it; otherwise 'Tomorrow, 09:00' or 'Fri 27 Nov, 09:00'.
 */
export function formatReminder(
  { day, time }: WallTime,
  { due, today }: { due: Day | null; today: Day },
): string {
  return day === due ? timeOfDay(time) : `${formatDay(day, today)}, ${timeOfDay(time)}`
}

/** '1 day before', '2 days before'. */
export function daysBefore({ days_before }: TodoReminder): string {
  return `${counted(days_before, 'day')} before`
}

/** 'Yesterday', 'Today', 'Tomorrow', 'Fri 27 Nov', with the year if it is not the current one. */
export function formatDay(day: Day, today: Day): string {
  const days = daysUntil(day, today)
  if (days === -1) return 'Yesterday'
  if (days === 0) return 'Today'
  if (days === 1) return 'Tomorrow'
  return shortDay(day, today)
}

/** 'today' or 'tomorrow' for use inside a sentence; other days stay as they are. */
export function inSentence(day: string): string {
  return day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : day
}
