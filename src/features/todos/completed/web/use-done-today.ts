import { useCallback } from 'react'
import type { Todo } from '#features/todos/todo/todo.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { addDays, dayOf, instantFromWire } from '#platform/calendar/day.ts'

/**
 * Returns a function that tells whether a to-do was completed on the person's current day. The function stays the same object
 * until the day ends.
 */
export function useDoneToday(): (todo: Todo) => boolean {
  const today = useToday()
  const { timeZone, dayStart } = useUserCalendar()
  return useCallback(
    ({ completed, completed_at }) =>
      completed === 1 &&
      completed_at !== null &&
      // A cheap test first: no zone is more than a day ahead of UTC, and computing each row's day would take longer than drawing
      // the rows.
      completed_at >= addDays(today, -1) &&
      dayOf(instantFromWire(completed_at), timeZone, dayStart) === today,
    [today, timeZone, dayStart],
  )
}
