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
  /** In thousandths; null without an entry. */
  amount: number | null
}

/** Every day of the range. */
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
 * What `completed` says: today is done; of Weekly, and of an amount that is summed over a longer period, that its period
 * is; of a limit, that something was entered today and it is kept so far.
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

/** What Today lists and reminders ask for: due today, not done, and still possible. */
export function isLeftToDo(track: HabitTrack, today: Day): boolean {
  const day = dayNumber(today)
  if (!isDue(track, day) || isTakenOut(track, day) || isCompletedOn(track, today)) return false
  const period = periodOn(track, day)
  return period !== undefined && resultOf(track, period, day).result === 'possible'
}

/** A limit that is summed over a longer period is kept while the sum so far is within it, and on a day without an entry. */
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

/** What the tick of a day with an amount enters: adds what is missing, or 0 under a limit. Null: nothing is missing. */
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
