import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from './format-number.ts'

// The words that screens, mails and programs share. The words that people write are those of `language/`: in small letters, with
// all their forms, and in a part that is only sent where something is read.

/** '1 task', '1,204 tasks', '2 people'. `many`: of a noun that takes no 's'. */
export function counted(count: number, noun: string, many?: string): string {
  return `${integerFormat.format(count)} ${wordFor(count, noun, many)}`
}

/** 'second' for 1, else 'seconds', or another word: for a number that is written in its own way. */
export function wordFor(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}

/** 'once', '3 times': for small numbers, which it writes without commas. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** 'one', 'one and two', 'one, two and three'; nothing of none. */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

/** 'Pay the rent', 'Pay the rent and 2 more' */
export function andMore(first: string, more: number): string {
  return more === 0 ? first : `${first} and ${integerFormat.format(more)} more`
}

/** As it stands at the beginning of a line. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** 1 is 'Monday', 7 is 'Sunday'. */
export function weekdayName(weekday: number): string {
  return weekdays[weekday - 1] ?? ''
}

/** 1 is 'Mon', 7 is 'Sun'. */
export function shortWeekdayName(weekday: number): string {
  return weekdayName(weekday).slice(0, 3)
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** 'November' */
export function monthName(day: Day): string {
  return months[Number(day.slice(5, 7)) - 1] ?? ''
}

/** 'Nov' */
export function shortMonth(day: Day): string {
  return monthName(day).slice(0, 3)
}
