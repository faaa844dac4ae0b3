import { daysUntil } from '#features/todos/dates/due.ts'
import type { Day } from '#platform/calendar/day.ts'
import { shortDay } from '#platform/format/short-day.ts'

/** 'Done today', 'Done yesterday', 'Done 12 Nov', with the year if it is not the current one. */
export function formatDone(day: Day, today: Day): string {
  const days = daysUntil(day, today)
  if (days === 0) return 'Done today'
  if (days === -1) return 'Done yesterday'
  // The weekday is left out: nobody needs it for a day in the past.
  return `Done ${shortDay(day, today).replace(/^\w+ /, '')}`
}
