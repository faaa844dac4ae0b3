import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { DayState } from './day-state-names.ts'
import { type HabitTrack, isDoneDay, isPaused, isTakenOut } from './habit-track.ts'
import { resultOf } from './period-result.ts'
import { isDue, periodOn } from './periods.ts'
import { isSummed, isWeekly, spanOn } from './rhythm.ts'

export interface StateOfDay {
  day: Day
  state: DayState
  /** The amount of the day in thousandths; null without an entry. */
  amount: number | null
}

/** The state of every day of the range. */
export function statesOf(track: HabitTrack, range: DayRange, today: Day): StateOfDay[] {
  const [first, last, now] = [dayNumber(range.from), dayNumber(range.to), dayNumber(today)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => {
    const day = first + offset
    return {
      day: dayFromNumber(day),
      state: stateOn(track, day, now),
      amount: track.amounts.get(day) ?? null,
    }
  })
}

function stateOn(track: HabitTrack, day: number, today: number): DayState {
  if (isDoneOn(track, day, today)) return 'done'
  if (track.skipped.has(day)) return 'skipped'
  if (isPaused(track, day)) return 'paused'
  if (!isDue(track, day)) return 'not_due'
  const { rhythm, target } = spanOn(track.spans, day)
  const isLimit = target !== 'yes' && target.at === 'most'
  if (isLimit && !track.amounts.has(day) && (day >= today || day < track.firstEntry)) return 'unknown'
  return day >= today || 'times' in rhythm || isSummed(target) ? 'open' : 'missed'
}

/**
 * Whether the habit counts as completed. Usually, today must be done. For Weekly, and for an amount summed over a period, today's
 * period must be done. For a limit, something must have been entered today, and the limit must be kept so far.
 */
export function isCompletedOn(track: HabitTrack, today: Day): boolean {
  const day = dayNumber(today)
  const { rhythm, target } = spanOn(track.spans, day)
  if (target !== 'yes' && target.at === 'most') {
    const amount = track.amounts.get(day)
    return amount !== undefined && (isSummed(target) ? sumUpTo(track, day) : amount) <= target.amount
  }
  if (!isWeekly(rhythm, target) && !isSummed(target)) return isDoneDay(track, day, day)
  const period = periodOn(track, day)
  return period !== undefined && resultOf(track, period, day).result === 'done'
}

/** Whether the Today view and reminders ask for the habit: it is due today, not done, and can still be done. */
export function isLeftToDo(track: HabitTrack, today: Day): boolean {
  const day = dayNumber(today)
  if (!isDue(track, day) || isTakenOut(track, day) || isCompletedOn(track, today)) return false
  const period = periodOn(track, day)
  return period !== undefined && resultOf(track, period, day).result === 'possible'
}

/**
 * Whether the day shows as done. A limit summed over a longer period is kept on a day with an entry if the sum up to that day is
 * within the limit. A day without an entry follows `isDoneDay`.
 */
function isDoneOn(track: HabitTrack, day: number, today: number): boolean {
  const { target } = spanOn(track.spans, day)
  if (target === 'yes' || target.at === 'least') return isDoneDay(track, day, today)
  if (!track.amounts.has(day)) return isDue(track, day) && isDoneDay(track, day, today)
  return isSummed(target) ? day < today && sumUpTo(track, day) <= target.amount : isDoneDay(track, day, today)
}

function sumUpTo(track: HabitTrack, last: number): number {
  let sum = 0
  for (let day = periodOn(track, last)?.first ?? last; day <= last; day += 1)
    sum += track.amounts.get(day) ?? 0
  return sum
}

/**
 * The entry that ticking a day with an amount makes: adds what is missing or, if the target is a limit, sets 0. Null if nothing
 * is missing.
 */
export function tickOf(track: HabitTrack, on: Day, today: Day): { add: number } | { set: 0 } | null {
  const day = dayNumber(on)
  const { target } = spanOn(track.spans, day)
  if (target === 'yes') return null
  if (target.at === 'most') return track.amounts.has(day) ? null : { set: 0 }
  const period = isSummed(target) ? periodOn(track, day) : undefined
  const { target: asked, reached } = period
    ? resultOf(track, period, dayNumber(today))
    : { target: target.amount, reached: track.amounts.get(day) ?? 0 }
  return asked > reached ? { add: asked - reached } : null
}
