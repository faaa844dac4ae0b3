import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from './format-number.ts'

// Words that screens, mails and programs share. The words that people type are in `language/`: in lower case, with all their
// forms, and in a part of the app that is sent only where text is read.

/** A number with its noun: '1 task', '1,204 tasks', '2 people'. `many` is the plural of a noun without 's'. */
export function counted(count: number, noun: string, many?: string): string {
  return `${integerFormat.format(count)} ${wordFor(count, noun, many)}`
}

/** The singular for 1, otherwise the plural: for numbers that the caller formats itself. */
export function wordFor(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}

/** 'once', '3 times'. Only for small numbers, since it adds no commas. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** Joins texts: 'one', 'one and two', 'one, two and three'; an empty text for no parts. */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

/** Names the first of several: 'Pay the rent', 'Pay the rent and 2 more'. */
export function andMore(first: string, more: number): string {
  return more === 0 ? first : `${first} and ${integerFormat.format(more)} more`
}

/** Upper-cases the first letter. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The name of a weekday: 1 is 'Monday', 7 is 'Sunday'. */
export function weekdayName(weekday: number): string {
  return weekdays[weekday - 1] ?? ''
}

/** The short name of a weekday: 1 is 'Mon', 7 is 'Sun'. */
export function shortWeekdayName(weekday: number): string {
  return weekdayName(weekday).slice(0, 3)
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** The month's name, such as 'November'. */
export function monthName(day: Day): string {
  return months[Number(day.slice(5, 7)) - 1] ?? ''
}

/** The month's short name, such as 'Nov'. */
export function shortMonth(day: Day): string {
  return monthName(day).slice(0, 3)
}
