import { addDays, type Day } from '#platform/calendar/day.ts'
import { lastOfMonth } from '#platform/calendar/month.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { DueRule, Frequency, NthWeekday, RepeatRule } from './repeat-rule.ts'
import { lastOfSeries } from './series.ts'

/** As short as a row needs it: 'every 2 weeks on Mon, Thu', '3 days after it is done'. */
export function repeatWords(rule: RepeatRule): string {
  return rule.mode === 'done' ? afterDone(rule) : everyOn(rule, short)
}

/** All that a rule says: 'Every 2 weeks on Tue and Fri, 10 times, the last on 22 Jan.' */
export function repeatSentence(rule: RepeatRule, today: Day): string {
  const ends = [
    rule.until !== undefined && `until ${nearDay(rule.until, today)}`,
    rule.times !== undefined && (rule.times === 1 ? 'once' : `${rule.times} times`),
  ].filter((part) => part !== false)
  if (rule.mode === 'done') {
    const begins = `first on ${nearDay(rule.from, today)}`
    return sentence([afterDone(rule), begins, ...ends])
  }
  const last = rule.times === undefined ? undefined : lastOfSeries(rule)
  if (last !== undefined) ends.push(`${rule.times === 1 ? '' : 'the last '}on ${nearDay(last, today)}`)
  return sentence([everyOn(rule, whole), ...(ends.length > 0 ? ends : ['from the due date'])])
}

/** '31 Dec', with the year where it is not clear which one is meant. */
export function nearDay(day: Day, today: Day): string {
  const text = `${Number(day.slice(8))} ${monthName(day)}`
  return day > addDays(today, -180) && day < addDays(today, 365) ? text : `${text} ${day.slice(0, 4)}`
}

/** '2 weeks', or 'a week': what lies between two times. */
export function interval(every: number, freq: Frequency): string {
  return every === 1 ? `a ${freq}` : `${every} ${freq}s`
}

/** 'the 31st', 'the last day', 'the second Tuesday': on which day of its month a series is due. */
export function dayInMonth(
  on: { days: readonly number[] } | { nth: readonly NthWeekday[] },
  names: readonly string[],
): string[] {
  return 'days' in on
    ? on.days.map((day) => (day === -1 ? 'the last day' : `the ${ordinal(day)}`))
    : on.nth.map(([nth, weekday]) => `the ${placeNames[nth]} ${names[weekday - 1]}`)
}

/** From Monday on. */
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const shortWeekdayNames = weekdayNames.map((name) => name.slice(0, 3))

/** As a person whose weeks begin on `weekStart` counts them. */
export function inWeek(weekdays: readonly WeekStart[], weekStart: WeekStart): WeekStart[] {
  return weekdays.toSorted((one, other) => ((one - weekStart + 7) % 7) - ((other - weekStart + 7) % 7))
}

/** 'one, two and three' */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** 'the 1st, 15th' */
const short = {
  join: (parts: readonly string[]) => parts.join(', ').replaceAll(', the ', ', '),
  isWhole: false,
}
const whole = { join: listed, isWhole: true }

function everyOn(rule: DueRule, { join, isWhole }: typeof short): string {
  const every = rule.every === 1 ? `every ${rule.freq}` : `every ${rule.every} ${rule.freq}s`
  switch (rule.freq) {
    case 'day':
      return every
    case 'week':
      return rule.every === 1 && weekdayWord(rule.weekdays) !== undefined
        ? `every ${weekdayWord(rule.weekdays)}`
        : `${every} on ${join(inWeek(rule.weekdays, rule.week_start).map((weekday) => shortWeekdayNames[weekday - 1] ?? ''))}`
    case 'month':
      return `${every} on ${join(isWhole && 'days' in rule ? rule.days.map(wholeDay) : dayInMonth(rule, shortWeekdayNames))}`
    case 'year':
      return `${every} on ${join(inYear(rule, isWhole))}`
  }
}

function weekdayWord(weekdays: readonly WeekStart[]): 'day' | 'weekday' | undefined {
  if (weekdays.length === 7) return 'day'
  return weekdays.length === 5 && weekdays.every((weekday) => weekday <= 5) ? 'weekday' : undefined
}

/** Not every month has a 29th. */
function wholeDay(day: number): string {
  if (day === -1) return 'the last day'
  return day > 28 ? `the ${ordinal(day)} or the last day` : `the ${ordinal(day)}`
}

function inYear(
  rule: { from: Day } & ({ days: readonly number[] } | { nth: readonly NthWeekday[] }),
  isWhole: boolean,
): string[] {
  const month = monthName(rule.from)
  if ('nth' in rule) return dayInMonth(rule, shortWeekdayNames).map((text) => `${text} of ${month}`)
  // In a leap year, since the month of 29 February has that day.
  const length = month === 'Feb' ? 29 : Number(lastOfMonth(rule.from).slice(8))
  return rule.days.map((day) => {
    if (day === -1) return `the last day of ${month}`
    const text = `${Math.min(day, length)} ${month}`
    return isWhole && text === '29 Feb' ? '29 Feb or 28 Feb' : text
  })
}

function afterDone({ freq, every }: Pick<RepeatRule, 'freq' | 'every'>): string {
  return `${interval(every, freq)} after it is done`
}

function sentence(parts: readonly string[]): string {
  return `${capitalized(parts.join(', '))}.`
}

/** As it stands at the beginning of a line. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function ordinal(number: number): string {
  const isTeen = number > 10 && number < 20
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

const placeNames: Record<number, string> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  [-1]: 'last',
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function monthName(day: Day): string {
  return monthNames[Number(day.slice(5, 7)) - 1] ?? ''
}
