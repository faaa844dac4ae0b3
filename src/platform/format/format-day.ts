import type { Day } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { monthName, shortMonth, weekdayName } from './words.ts'

// The screens are in English, so their dates are too, whatever the browser's language. Of tables of our own: a browser's first use
// of Intl costs a slow phone a tenth of a second.

/** 'Wednesday 18 November', with the year if it is not the current one. */
export function longDay(day: Day, today: Day): string {
  return `${longWeekday(day)} ${dayAndMonth(day, today)}`
}

/** 'Wednesday 18 November 2026' */
export function longDate(day: Day): string {
  return `${longWeekday(day)} ${dayOfMonth(day)} ${monthAndYear(day)}`
}

/** 'Wed 18 Nov 2026' */
export function shortDate(day: Day): string {
  return `${shortWeekday(day)} ${dayOfMonth(day)} ${shortMonth(day)} ${day.slice(0, 4)}`
}

/** '18 November', with the year if it is not the current one. */
export function dayAndMonth(day: Day, today: Day): string {
  const year = day.slice(0, 4)
  const text = `${dayOfMonth(day)} ${monthName(day)}`
  return year === today.slice(0, 4) ? text : `${text} ${year}`
}

/** '18' */
export function dayOfMonth(day: Day): string {
  return String(Number(day.slice(8)))
}

/** 'W' */
export function weekdayLetter(day: Day): string {
  return longWeekday(day).charAt(0)
}

/** 'Wed' */
export function shortWeekday(day: Day): string {
  return longWeekday(day).slice(0, 3)
}

/** 'Wednesday' */
export function longWeekday(day: Day): string {
  return weekdayName(weekdayOf(day))
}

/** 'November 2026' */
export function monthAndYear(day: Day): string {
  return `${monthName(day)} ${day.slice(0, 4)}`
}
