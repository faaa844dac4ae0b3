import { addDays, type Day } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'

/** The due days that are chosen most, with what they are called. */
export function dueSuggestions(today: Day, weekStart: WeekStart): [label: string, day: Day][] {
  return [
    ['Today', today],
    ['Tomorrow', addDays(today, 1)],
    ['Next week', firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart)],
  ]
}
