import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { type DueGroup, daysUntil } from '../due.ts'

// The screens are in English, so their day names are too, whatever the browser's language.

export const dueGroupNames: Record<DueGroup, string> = {
  overdue: 'Overdue',
  today: 'Today',
  tomorrow: 'Tomorrow',
  'this-week': 'This week',
  later: 'Later',
  none: 'No due date',
}

/** 'Overdue by 2 days', 'Today', 'Tomorrow', 'Fri 27 Nov', with the year if it is not the current one. */
export function formatDue(due: Day, today: Day): string {
  const days = daysUntil(due, today)
  if (days < 0) return `Overdue by ${days === -1 ? '1 day' : `${integerFormat.format(-days)} days`}`
  return formatDay(due, today)
}

/** Only the time if it is on the due day, which is shown beside it; otherwise 'Tomorrow 09:00' or 'Fri 27 Nov 09:00'. */
export function formatReminder(
  remindAt: Instant,
  { due, today, timeZone }: { due: Day | null; today: Day; timeZone: string },
): string {
  const day = dayOf(remindAt, timeZone, 0)
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(
    remindAt,
  )
  return day === due ? time : `${formatDay(day, today)} ${time}`
}

function formatDay(day: Day, today: Day): string {
  const days = daysUntil(day, today)
  if (days === -1) return 'Yesterday'
  if (days === 0) return 'Today'
  if (days === 1) return 'Tomorrow'
  const [weekday, month] = [
    formatPart({ weekday: 'short' }, day),
    formatPart({ month: 'short' }, day).slice(0, 3),
  ]
  const text = `${weekday} ${Number(day.slice(8))} ${month}`
  return day.slice(0, 4) === today.slice(0, 4) ? text : `${text} ${day.slice(0, 4)}`
}

function formatPart(part: Intl.DateTimeFormatOptions, day: Day): string {
  return new Intl.DateTimeFormat('en-GB', { ...part, timeZone: 'UTC' }).format(Date.parse(day))
}
