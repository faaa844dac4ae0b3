import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { dayAndMonth, dayOfMonth, longDay, monthAndYear } from '#platform/ui/day-words.ts'
import { inDigits } from '#platform/ui/number-words.ts'
import { durationInWords, roundDurationInWords } from '#platform/ui/time-in-words.ts'
import type { Change } from '../change.ts'
import type { Figure, Measure } from '../day-figure.ts'
import { leastDays } from '../insights.ts'
import type { Range } from '../range.ts'

export const titleOf: Record<Measure, string> = {
  todos: 'Completed todos',
  habits: 'Completed habits',
  focus: 'Completed focus',
}

/** '4 tasks', '3 of 4 habits', '1 h 15 min'. */
export function figureInWords(measure: Measure, { amount, beside }: Figure): string {
  if (measure === 'focus') return durationInWords(amount)
  if (measure === 'habits') return `${inDigits.format(amount)} of ${inDigits.format(beside)} habits`
  return counted(amount, 'task')
}

/** The number of a card and of its list: '4 tasks', '3 of 4 due', '1 h 15 min'. */
export function sumInWords(measure: Measure, { amount, beside }: Figure): string {
  if (measure === 'habits') return `${inDigits.format(amount)} of ${inDigits.format(beside)} due`
  return figureInWords(measure, { amount, beside })
}

export function counted(count: number, noun: string): string {
  return `${inDigits.format(count)} ${count === 1 ? noun : `${noun}s`}`
}

/** 'Thursday 5 November', 'November 2025', '17 to 23 August', '28 October to 3 November'. */
export function daysInWords({ from, to }: DayRange, today: Day): string {
  if (from === to) return longDay(from, today)
  if (from.endsWith('-01') && addDays(to, 1).endsWith('-01') && from.slice(0, 7) === to.slice(0, 7)) {
    return monthAndYear(from)
  }
  const sameMonth = from.slice(0, 7) === to.slice(0, 7)
  return `${sameMonth ? dayOfMonth(from) : dayAndMonth(from, today)} to ${dayAndMonth(to, today)}`
}

/** 'the last 30 days' */
export function rangeInWords(range: Range): string {
  return range === 'year' ? 'the last 365 days' : `the last ${range} days`
}

/** How a change is told: what stands out in it, and the rest of the sentence. */
export function changeInWords(
  measure: Measure,
  change: Change,
  now: Figure,
  range: Range,
): { strong: string; rest: string } {
  const before = range === 'year' ? 'the previous year' : `the previous ${range} days`
  const sessions = measure === 'focus' ? counted(now.beside, 'session') : ''
  if (change.kind === 'first') {
    if (measure === 'focus') return { strong: sessions, rest: `, none in ${before}` }
    if (measure === 'habits') return { strong: '', rest: `Nothing was due in ${before}` }
    return { strong: '', rest: `None in ${before}` }
  }
  if (change.kind === 'none due') return { strong: '', rest: 'Nothing to compare yet' }
  if (change.kind === 'same') {
    if (measure === 'focus') return { strong: sessions, rest: `, same time as in ${before}` }
    return {
      strong: '',
      rest: measure === 'habits' ? `Same rate as in ${before}` : `Same as in ${before}`,
    }
  }
  const { kind, by } = change
  if (measure === 'todos') {
    return {
      strong: `${inDigits.format(by)} ${kind === 'more' ? 'more' : 'fewer'}`,
      rest: ` than in ${before}`,
    }
  }
  if (measure === 'focus') return { strong: roundDurationInWords(by), rest: ` ${kind}, ${sessions}` }
  const direction = kind === 'more' ? 'up' : 'down'
  return { strong: counted(by, 'point'), rest: ` ${direction}, from ${change.before}% to ${change.now}%` }
}

/** That nothing stood out, of which comparisons, and what is missing for them. */
export function noInsightsInWords({ withFocus, without }: { withFocus: number; without: number }): string {
  const compared = `No insights yet. Once there are at least ${leastDays} days of each kind, Daymark compares weekdays with weekends, and days with a focus session with days without one.`
  return withFocus < leastDays || without < leastDays
    ? `${compared} So far you have ${counted(withFocus, 'day')} with a focus session and ${inDigits.format(without)} without.`
    : `${compared} Differences too large to be due to chance will appear here.`
}
