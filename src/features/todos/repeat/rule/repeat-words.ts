import type { Day } from '#platform/calendar/day.ts'
import { lastOfMonth } from '#platform/calendar/month.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { shortMonth, shortWeekdayName } from '#platform/format/words.ts'
import type { DueRule, Frequency, NthWeekday, RepeatRule } from './repeat-rule.ts'

/** A short form for rows: 'every 2 weeks on Mon, Thu', '3 days after it is done'. */
export function repeatWords(rule: RepeatRule): string {
  return rule.mode === 'done' ? afterDone(rule) : everyOn(rule, short)
}

/** The time between two occurrences: '2 weeks', or 'a week'. */
export function interval(every: number, freq: Frequency): string {
  return every === 1 ? `a ${freq}` : `${every} ${freq}s`
}

/** The days of a month on which a series is due: 'the 31st', 'the last day', 'the second Tuesday'. */
export function dayInMonth(
  on: { days: readonly number[] } | { nth: readonly NthWeekday[] },
  nameOf: (weekday: WeekStart) => string,
  wordsFor = theDay,
): string[] {
  return 'days' in on
    ? on.days.map(wordsFor)
    : on.nth.map(([nth, weekday]) => `the ${placeNames[nth]} ${nameOf(weekday)}`)
}

/** Sorts weekdays for a person's week, which begins on `weekStart`. */
export function inWeek(weekdays: readonly WeekStart[], weekStart: WeekStart): WeekStart[] {
  return weekdays.toSorted((one, other) => ((one - weekStart + 7) % 7) - ((other - weekStart + 7) % 7))
}

/** How a rule is put into words. */
export interface RepeatStyle {
  join(parts: readonly string[]): string
  /** 'the 31st', 'the last day'. */
  dayOfMonth(day: number): string
  /** Changes a text such as '12 Dec', if needed. */
  dayOfYear(text: string): string
}

/** The short style for rows: 'the 1st, 15th'. */
const short: RepeatStyle = {
  join: (parts) => parts.join(', ').replaceAll(', the ', ', '),
  dayOfMonth: theDay,
  dayOfYear: (text) => text,
}
/** 'every 2 weeks on Mon, Thu' */
export function everyOn(rule: DueRule, style: RepeatStyle): string {
  const { join } = style
  const every = rule.every === 1 ? `every ${rule.freq}` : `every ${rule.every} ${rule.freq}s`
  switch (rule.freq) {
    case 'day':
      return every
    case 'week':
      return rule.every === 1 && weekdayWord(rule.weekdays) !== undefined
        ? `every ${weekdayWord(rule.weekdays)}`
        : `${every} on ${join(inWeek(rule.weekdays, rule.week_start).map(shortWeekdayName))}`
    case 'month':
      return `${every} on ${join(dayInMonth(rule, shortWeekdayName, style.dayOfMonth))}`
    case 'year':
      return `${every} on ${join(inYear(rule, style))}`
  }
}

function weekdayWord(weekdays: readonly WeekStart[]): 'day' | 'weekday' | undefined {
  if (weekdays.length === 7) return 'day'
  return weekdays.length === 5 && weekdays.every((weekday) => weekday <= 5) ? 'weekday' : undefined
}

function inYear(
  rule: { from: Day } & ({ days: readonly number[] } | { nth: readonly NthWeekday[] }),
  { dayOfYear }: RepeatStyle,
): string[] {
  const month = shortMonth(rule.from)
  if ('nth' in rule) return dayInMonth(rule, shortWeekdayName).map((text) => `${text} of ${month}`)
  // Count 29 days for February: a rule that begins on 29 February has that day.
  const length = month === 'Feb' ? 29 : Number(lastOfMonth(rule.from).slice(8))
  return rule.days.map((day) => {
    if (day === -1) return `the last day of ${month}`
    return dayOfYear(`${Math.min(day, length)} ${month}`)
  })
}

/** '3 days after it is done' */
export function afterDone({ freq, every }: Pick<RepeatRule, 'freq' | 'every'>): string {
  return `${interval(every, freq)} after it is done`
}

/** 'the 31st', 'the last day' */
export function theDay(day: number): string {
  return day === -1 ? 'the last day' : `the ${ordinal(day)}`
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
