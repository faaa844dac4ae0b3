import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { comesBackOn } from './repeat.ts'
import type { DoneRule, DueRule, Frequency, NthWeekday, RepeatRule } from './repeat-rule.ts'
import { lastOfSeries, seriesFrom } from './series.ts'

// A rule in plain English: a few words for a row, and a sentence for where there is room.

const short = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const long = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const
const places = ['first', 'second', 'third', 'fourth', 'fifth'] as const
const counts = ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const

/** 'every 2 weeks on Mon, Thu'. */
export function repeatWords(rule: RepeatRule): string {
  if (rule.mode === 'done') return `${interval(rule, 'plain')} after it is done`
  const on = onWords(rule, ', ', 'short')
  if (isEveryWorkday(rule)) return 'every weekday'
  return `every ${unit(rule)}${on}`
}

/** 'Every 2 weeks on Tue and Fri, 10 times, the last on 22 Jan 2027.' */
export function repeatSentence(rule: RepeatRule): string {
  if (rule.mode === 'done') return `${interval(rule, 'capital')} after it is done${endOfDone(rule)}.`
  const what = isEveryWorkday(rule) ? 'Every weekday' : `Every ${unit(rule)}${onWords(rule, ' and ', 'full')}`
  return `${what}${endOfDue(rule)}.`
}

/** 'the 31st', 'the last day'. */
export function dayOfMonthWords(day: number): string {
  return day === -1 ? 'the last day' : `the ${ordinal(day)}`
}

/** 'the second Tuesday', 'the last Friday'. */
export function nthWords([nth, weekday]: NthWeekday, style: 'short' | 'long' = 'long'): string {
  return `the ${nth === -1 ? 'last' : places[nth - 1]} ${weekdayName(weekday, style)}`
}

export function weekdayName(weekday: WeekStart, style: 'short' | 'long'): string {
  return (style === 'short' ? short : long)[weekday - 1] ?? ''
}

/** 'A month', 'Two weeks', '12 days'. */
export function interval(
  { every, freq }: Pick<DoneRule, 'every' | 'freq'>,
  style: 'plain' | 'capital',
): string {
  if (style === 'plain') return every === 1 ? `1 ${freq}` : `${every} ${freq}s`
  if (every === 1) return `A ${freq}`
  return `${counts[every - 2] ?? every} ${freq}s`
}

/** The next days on which it is due, from `since` on; in mode 'done' if each is done when it is due. */
export function nextDays(rule: RepeatRule, since: Day, count: number): Day[] {
  const days: Day[] = []
  if (rule.mode === 'due') {
    for (const day of seriesFrom(rule, since)) {
      if (days.length === count) break
      days.push(day)
    }
    return days
  }
  const most = Math.min(count, rule.times ?? count)
  for (let day = since; days.length < most; day = comesBackOn(rule, day, day)) {
    if (rule.until !== undefined && day > rule.until) break
    days.push(day)
  }
  return days
}

function isEveryWorkday(rule: DueRule): boolean {
  return rule.freq === 'week' && rule.every === 1 && rule.weekdays.join() === '1,2,3,4,5'
}

function unit({ every, freq }: { every: number; freq: Frequency }): string {
  return every === 1 ? freq : `${every} ${freq}s`
}

function onWords(rule: DueRule, and: ', ' | ' and ', style: 'short' | 'full'): string {
  const all = (words: readonly string[]) => ` on ${joined(words, and)}`
  if (rule.freq === 'day') return ''
  if (rule.freq === 'week') {
    if (rule.weekdays.length === 7) return ' on every day'
    return all(rule.weekdays.map((weekday) => weekdayName(weekday, 'short')))
  }
  const month = rule.freq === 'year' ? (months[Number(rule.from.slice(5, 7)) - 1] ?? '') : undefined
  const of = month === undefined ? '' : ` of ${month}`
  if ('nth' in rule) return `${all(rule.nth.map((nth) => nthWords(nth, 'short')))}${of}`
  if (month !== undefined && rule.days.every((day) => day > 0)) {
    return all(rule.days.map((day) => `${day} ${month.slice(0, 3)}`))
  }
  const days = all(rule.days.map(dayOfMonthWords))
  const isCut = style === 'full' && month === undefined && rule.days.length === 1 && (rule.days[0] ?? 0) > 28
  return `${days}${of}${isCut ? ' or the last day' : ''}`
}

function joined(words: readonly string[], and: ', ' | ' and '): string {
  if (and === ', ' || words.length < 2) return words.join(', ')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function endOfDue(rule: DueRule): string {
  const last = lastOfSeries(rule)
  if (rule.times !== undefined && last !== undefined) {
    return `, ${times(rule.times)}${rule.times > 1 ? `, the last on ${dayWords(last)}` : ` on ${dayWords(last)}`}`
  }
  if (rule.until !== undefined) return `, until ${dayWords(rule.until)}`
  return ', from the due date'
}

function endOfDone({ times: most, until }: DoneRule): string {
  const ends = [
    ...(most === undefined ? [] : [times(most)]),
    ...(until === undefined ? [] : [`until ${dayWords(until)}`]),
  ]
  return ends.map((end) => `, ${end}`).join('')
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function dayWords(day: Day): string {
  return `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1]?.slice(0, 3)} ${day.slice(0, 4)}`
}

function ordinal(number: number): string {
  const suffix = number > 10 && number < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${suffix}`
}
