import type { Day } from '#platform/calendar/day.ts'
import { dayOfMonth, shortWeekday } from './format-day.ts'
import { shortMonth } from './words.ts'

/** Such as 'Wed 18 Nov', with the year if it is not the current one. */
export function shortDay(day: Day, today: Day): string {
  const text = `${shortWeekday(day)} ${dayOfMonth(day)} ${shortMonth(day)}`
  return day.slice(0, 4) === today.slice(0, 4) ? text : `${text} ${day.slice(0, 4)}`
}
