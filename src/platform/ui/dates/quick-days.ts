import { addDays, type Day } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekdayOf, weekNumber } from '#platform/calendar/week.ts'

interface QuickDay {
  label: string
  /** Two quick days may be the same day. Both stay, so that each is always in the same place. */
  day: Day
}

/** The most frequently chosen days. */
export function quickDays(today: Day, weekStart: WeekStart): QuickDay[] {
  return [
    { label: 'Today', day: today },
    { label: 'Tomorrow', day: addDays(today, 1) },
    // The next Saturday after today.
    { label: 'Weekend', day: addDays(today, ((12 - weekdayOf(today)) % 7) + 1) },
    { label: 'Next week', day: firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart) },
  ]
}
