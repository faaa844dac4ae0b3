import { addDays, type Day } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import { dayOfMonth, shortMonth, shortWeekday } from '#platform/ui/day-words.ts'

interface DueSuggestion {
  label: string
  day: Day
  /** 'Mon 23 Nov': two of them may be the same day, and both stay, so that each is always at its place. */
  inWords: string
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
    inWords: `${shortWeekday(day)} ${dayOfMonth(day)} ${shortMonth(day)}`,
  }))
}
