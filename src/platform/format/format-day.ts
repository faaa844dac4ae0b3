import type { Day } from '#platform/calendar/day.ts'
import { shortMonth } from './words.ts'

// The screens are in English, so their dates are too, whatever the browser's language.

/** 'Wednesday 18 November', with the year if it is not the current one. */
export function longDay(day: Day, today: Day): string {
  return `${formatParts({ weekday: 'long' }, day)} ${dayAndMonth(day, today)}`
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
  const text = `${dayOfMonth(day)} ${formatParts({ month: 'long' }, day)}`
  return year === today.slice(0, 4) ? text : `${text} ${year}`
}

/** '18' */
export function dayOfMonth(day: Day): string {
  return String(Number(day.slice(8)))
}

/** 'W' */
export function weekdayLetter(day: Day): string {
  return formatParts({ weekday: 'narrow' }, day)
}

/** 'Wed' */
export function shortWeekday(day: Day): string {
  return formatParts({ weekday: 'short' }, day)
}

/** 'Wednesday' */
export function longWeekday(day: Day): string {
  return formatParts({ weekday: 'long' }, day)
}

/** 'November 2026' */
export function monthAndYear(day: Day): string {
  return formatParts({ month: 'long', year: 'numeric' }, day)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatParts(parts: Intl.DateTimeFormatOptions, day: Day): string {
  const key = JSON.stringify(parts)
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(Date.parse(day))
}
