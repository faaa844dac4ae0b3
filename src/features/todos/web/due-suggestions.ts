import { addDays, type Day } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import { dayOfMonth, shortMonth, shortWeekday } from '#platform/format/format-day.ts'

interface DueSuggestion {
  label: string
  day: Day
  /** 'Mon 23 Nov'. Two suggestions may be the same day, and both stay, so that each is always in its place. */
  dateText: string
}

/** The due days that are chosen most. */
export function dueSuggestions(today: Day, weekStart: WeekStart): DueSuggestion[] {
  const days: [label: string, day: Day][] = [
    ['Today', today],
    ['Tomorrow', addDays(today, 1)],
    ['Next week', firstDayOfWeek(weekNumber(today, weekStart) + 1, weekStart)],
  ]
  return days.map(([label, day]) => ({
    label,
    day,
    dateText: `${shortWeekday(day)} ${dayOfMonth(day)} ${shortMonth(day)}`,
  }))
}
