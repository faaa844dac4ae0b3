import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { listed, shortWeekdayName, weekdayName } from '#platform/format/words.ts'

/** '07:30', '07:30 on weekdays', '07:30 on Sundays', '07:30 on Mon, Wed and Fri'. */
export function formatReminder({ time, weekdays }: Reminder): string {
  const days = formatDays(weekdays)
  return days === undefined ? timeOfDay(time) : `${timeOfDay(time)} on ${days}`
}

/** The weekdays as text; undefined if the reminder is for every day. */
function formatDays(weekdays: Reminder['weekdays']): string | undefined {
  if (weekdays.length === 7) return undefined
  if (weekdays.join() === '1,2,3,4,5') return 'weekdays'
  if (weekdays.join() === '6,7') return 'weekends'
  const [first = 0, ...others] = weekdays
  return others.length === 0 ? `${weekdayName(first)}s` : listed(weekdays.map(shortWeekdayName))
}
