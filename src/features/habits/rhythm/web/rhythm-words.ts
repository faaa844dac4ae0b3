import type { WeekStart } from '#platform/calendar/week.ts'
import {
  capitalized,
  counted,
  listed,
  shortWeekdayName,
  times,
  weekdayName,
  wordFor,
} from '#platform/format/words.ts'
import type { PeriodResult } from '../period-result.ts'
import { type AmountTarget, isSummed, type Rhythm, type Target } from '../rhythm.ts'
import { formatAmount } from './target-words.ts'

// Rhythms, targets and progress in words.

/** The short text for a badge: '3 times a week', 'Mon, Wed, Fri', '8 glasses a day'. */
export function badgeWords(rhythm: Rhythm, target: Target, weekStart: WeekStart): string {
  if (target === 'yes') return capitalized(shortRhythm(rhythm, weekStart))
  const goal = `${target.at === 'most' ? 'at most ' : ''}${formatAmount(target.amount)} ${target.unit}`
  if (isSummed(target)) return capitalized(`${goal} a ${target.per}`)
  if (isEveryDay(rhythm)) return capitalized(`${goal} a day`)
  return capitalized(`${goal}, ${shortRhythm(rhythm, weekStart, goal)}`)
}

/** A whole sentence: 'At least 8 glasses a day, Monday to Friday.' */
export function rhythmSentence(rhythm: Rhythm, target: Target, weekStart: WeekStart): string {
  if (target === 'yes') return `${capitalized(longRhythm(rhythm, weekStart))}.`
  const goal = `At ${target.at} ${formatAmount(target.amount)} ${target.unit}`
  if (isSummed(target)) return `${goal} a ${target.per}, on any days.`
  return isEveryDay(rhythm) ? `${goal} a day.` : `${goal} a day, ${longRhythm(rhythm, weekStart)}.`
}

function isEveryDay(rhythm: Rhythm): boolean {
  return 'every' in rhythm && rhythm.every === 1
}

function shortRhythm(rhythm: Rhythm, weekStart: WeekStart, after?: string): string {
  if ('per' in rhythm) {
    if (rhythm.times > 1) return `${rhythm.times} times a ${rhythm.per}`
    return rhythm.per === 'week' ? 'weekly' : 'once a month'
  }
  if ('days' in rhythm) return `${times(rhythm.times)} in ${counted(rhythm.days, 'day')}`
  if ('weekdays' in rhythm) {
    const run = runOf(rhythm.weekdays, weekStart)
    const names = inWeek(rhythm.weekdays, weekStart).map(shortWeekdayName)
    return run && names.length > 2 ? `${names[0]} to ${names.at(-1)}` : names.join(', ')
  }
  if (rhythm.every > 1) return `every ${rhythm.every} days`
  return after === undefined ? 'daily' : 'every day'
}

function longRhythm(rhythm: Rhythm, weekStart: WeekStart): string {
  if ('per' in rhythm) {
    return `${times(rhythm.times)} a ${rhythm.per}, on any ${wordFor(rhythm.times, 'day')}`
  }
  if ('days' in rhythm) return `${times(rhythm.times)} in every ${counted(rhythm.days, 'day')}`
  if ('weekdays' in rhythm) {
    const run = runOf(rhythm.weekdays, weekStart)
    const names = inWeek(rhythm.weekdays, weekStart).map(weekdayName)
    if (names.length === 7) return 'every day'
    return run && names.length > 2 ? `${names[0]} to ${names.at(-1)}` : listed(names)
  }
  return rhythm.every === 1 ? 'every day' : `every ${rhythm.every} days`
}

/** Whether the weekdays are consecutive within the week. */
function runOf(weekdays: readonly number[], weekStart: WeekStart): boolean {
  const places = inWeek(weekdays, weekStart).map((weekday) => (weekday - weekStart + 7) % 7)
  return (places.at(-1) ?? 0) - (places[0] ?? 0) === places.length - 1
}

/** Sorts weekdays for a person whose weeks begin on `weekStart`. */
export function inWeek(weekdays: readonly number[], weekStart: WeekStart): number[] {
  return weekdays.toSorted((one, other) => ((one - weekStart + 7) % 7) - ((other - weekStart + 7) % 7))
}

/** The progress in today's period, in three parts. */
export interface Progress {
  /** The text before the number: 'Still possible: '. */
  before: string
  /** The number: '2'. */
  reached: string
  /** The text after the number: ' of 3 this week, 3 days left'. */
  after: string
}

/**
 * The progress of a habit that takes more than one tick: 'Still possible: 2 of 3 this week, 3 days left', or '5 of 8 glasses
 * today'. Undefined if one tick completes the habit. `amount` is today's amount.
 */
export function progressOf(now: PeriodResult | undefined, amount: number | null): Progress | undefined {
  if (!now) return undefined
  const { rhythm, target: goal } = now.period.span
  const isDay = now.period.days === 1
  const isOnce = goal === 'yes' && (!('times' in rhythm) || rhythm.times === 1)
  if (isOnce) return undefined
  const span = isDay ? 'today' : spanWords(now)
  if (goal !== 'yes' && (isDay || !isSummed(goal))) return ofToday(goal, amount ?? 0, now, span)
  const words = goal === 'yes' ? String(now.target) : `${formatAmount(now.target)} ${goal.unit}`
  const reached = goal === 'yes' ? String(now.reached) : formatAmount(now.reached)
  const of = ` of ${words} ${span}`
  const left = `, ${counted(now.daysLeft, 'day')} left`
  switch (now.result) {
    case 'possible':
      if (goal !== 'yes' && goal.at === 'most') return { before: '', reached, after: `${of}, kept so far` }
      return { before: 'Still possible: ', reached, after: of + left }
    case 'no longer':
      return { before: 'No longer possible: ', reached, after: of }
    default:
      return { before: '', reached, after: of }
  }
}

/** The progress of an amount per day. If a longer period asks for several days, their number is added. */
function ofToday(goal: AmountTarget, amount: number, now: PeriodResult, span: string): Progress {
  const isLimit = goal.at === 'most'
  const kept = !isLimit ? '' : amount > goal.amount ? ', over the limit' : ', kept so far'
  const after = ` of ${formatAmount(goal.amount)} ${goal.unit} today${kept}`
  const times = now.period.days === 1 ? '' : `; ${now.reached} of ${now.target} ${span}`
  return { before: '', reached: formatAmount(amount), after: after + times }
}

function spanWords({ period: { span, days } }: PeriodResult): string {
  if (span.target !== 'yes' && isSummed(span.target)) return `this ${span.target.per}`
  if ('per' in span.rhythm) return `this ${span.rhythm.per}`
  return `in these ${counted(days, 'day')}`
}
