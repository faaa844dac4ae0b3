import type { Day } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { monthName, shortMonth, weekdayName } from './words.ts'

// The screens are in English, so their dates are too, whatever the browser's language. The names come from our own tables: a
// browser's first use of Intl costs a slow phone a tenth of a second.

/** Such as 'Wednesday 18 November', with the year if it is not the current one. */
export function longDay(day: Day, today: Day): string {
  return `${longWeekday(day)} ${dayAndMonth(day, today)}`
}

/** Such as 'Wednesday 18 November 2026'. */
export function longDate(day: Day): string {
  return `${longWeekday(day)} ${dayOfMonth(day)} ${monthAndYear(day)}`
}

/** Such as 'Wed 18 Nov 2026'. */
export function shortDate(day: Day): string {
  return `${shortWeekday(day)} ${dayOfMonth(day)} ${shortMonth(day)} ${day.slice(0, 4)}`
}

/** Such as '18 November', with the year if it is not the current one. */
export function dayAndMonth(day: Day, today: Day): string {
  const year = day.slice(0, 4)
  const text = `${dayOfMonth(day)} ${monthName(day)}`
  return year === today.slice(0, 4) ? text : `${text} ${year}`
}

/** The day of the month, such as '18'. */
export function dayOfMonth(day: Day): string {
  return String(Number(day.slice(8)))
}

/** The first letter of the weekday, such as 'W'. */
export function weekdayLetter(day: Day): string {
  return longWeekday(day).charAt(0)
}

/** Such as 'Wed'. */
export function shortWeekday(day: Day): string {
  return longWeekday(day).slice(0, 3)
}

/** Such as 'Wednesday'. */
export function longWeekday(day: Day): string {
  return weekdayName(weekdayOf(day))
}

/** Such as 'November 2026'. */
export function monthAndYear(day: Day): string {
  return `${monthName(day)} ${day.slice(0, 4)}`
}
