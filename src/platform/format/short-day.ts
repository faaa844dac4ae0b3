import type { Day } from '#platform/calendar/day.ts'

/** 'Wed 18 Nov', with the year if it is not the current one. In a file of its own, since the first screen needs no more. */
export function shortDay(day: Day, today: Day): string {
  const text = format.format(Date.parse(day)).replace(',', '').replace('Sept', 'Sep')
  return day.slice(0, 4) === today.slice(0, 4) ? text : `${text} ${day.slice(0, 4)}`
}

const format = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
