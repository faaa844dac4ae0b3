import type { Reminder } from '#features/reminders/reminder.ts'
import { timeOfDay } from '#platform/format/format-time.ts'

/** '07:30', '07:30 on weekdays', '07:30 on Sundays', '07:30 on Mon, Wed and Fri'. */
export function formatReminder({ time, weekdays }: Reminder): string {
  const days = formatDays(weekdays)
  return days === undefined ? timeOfDay(time) : `${timeOfDay(time)} on ${days}`
}

export const weekdayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** Undefined for every day. */
function formatDays(weekdays: Reminder['weekdays']): string | undefined {
  if (weekdays.length === 7) return undefined
  if (weekdays.join() === '1,2,3,4,5') return 'weekdays'
  if (weekdays.join() === '6,7') return 'weekends'
  const names = weekdays.flatMap((weekday) => weekdayNames[weekday - 1] ?? [])
  const last = names.at(-1) ?? ''
  if (names.length === 1) return `${last}s`
  const short = names.map((name) => name.slice(0, 3))
  return `${short.slice(0, -1).join(', ')} and ${last.slice(0, 3)}`
}
