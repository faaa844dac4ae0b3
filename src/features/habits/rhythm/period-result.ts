import { type HabitTrack, isDoneDay, isTakenOut } from './habit-track.ts'
import { type Period, periodsBetween } from './periods.ts'
import { isSummed, type Target } from './rhythm.ts'

/** A period and its result. */
export interface PeriodResult {
  period: Period
  /**
   * What is to be reached: a number of times, or an amount in thousandths. Skipped, paused and archived days lower the target,
   * unless it is a limit.
   */
  target: number
  reached: number
  counts: 'times' | 'at least' | 'at most'
  /**
   * `possible` and `no longer` tell whether the target of a period that is not over can still be reached. A period with `out`
   * counts neither for nor against the habit.
   */
  result: 'done' | 'possible' | 'no longer' | 'failed' | 'out'
  /** The days, including today, on which something can still be done. */
  daysLeft: number
}

/** The reached share of the target, from 0 to 1. */
export function shareOf({ counts, target, reached }: PeriodResult): number {
  if (counts === 'at most') return reached <= target ? 1 : target / reached
  return Math.min(1, reached / target)
}

export function resultOf(track: HabitTrack, period: Period, today: number): PeriodResult {
  const { target } = period.span
  if (target !== 'yes' && target.at === 'most' && limitsPeriod(period, target)) {
    return resultOfLimit(track, period, target.amount, today)
  }
  const { counts, asked } = askedOf(period, target)
  let reached = 0
  let left = 0
  let daysLeft = 0
  for (let day = firstDayThatCounts(track, period); day <= period.last; day += 1) {
    const done = isDoneDay(track, day, today)
    if (counts === 'times') reached += done ? 1 : 0
    else reached += track.amounts.get(day) ?? 0
    if (isTakenOut(track, day)) continue
    left += 1
    if (day >= today && (counts === 'at least' || (!done && canBeDone(track, target, day)))) daysLeft += 1
  }
  const lowered = Math.ceil((asked * Math.max(1, left)) / period.days)
  const missing = lowered - reached
  const possible = counts === 'times' ? missing <= daysLeft : daysLeft > 0
  const base = { period, target: lowered, reached, counts, daysLeft }
  if (missing <= 0) return { ...base, result: 'done' }
  if (left === 0) return { ...base, result: 'out' }
  if (period.last >= today) return { ...base, result: possible ? 'possible' : 'no longer' }
  return { ...base, result: period.cut ? 'out' : 'failed' }
}

/** A limit is decided only when its period is over. Before the first entry, nobody knows whether it was kept. */
function resultOfLimit(track: HabitTrack, period: Period, limit: number, today: number): PeriodResult {
  let reached = 0
  let left = 0
  let daysLeft = 0
  let entered = false
  for (let day = firstDayThatCounts(track, period); day <= period.last; day += 1) {
    const amount = track.amounts.get(day)
    entered ||= amount !== undefined
    reached += amount ?? 0
    if (isTakenOut(track, day)) continue
    left += 1
    if (day >= today) daysLeft += 1
  }
  const kept = reached <= limit
  const base = { period, target: limit, reached, counts: 'at most' as const, daysLeft }
  if (left === 0 && !entered) return { ...base, result: 'out' }
  if (period.last >= today) return { ...base, result: kept ? 'possible' : 'no longer' }
  if (track.firstEntry > period.last) return { ...base, result: 'out' }
  if (kept) return { ...base, result: 'done' }
  return { ...base, result: period.cut ? 'out' : 'failed' }
}

/** The first day of a period that counts. Entries from before a start that was chosen later are kept, but don't count. */
export function firstDayThatCounts({ start }: HabitTrack, { first }: Period): number {
  return Math.max(first, start)
}

/**
 * Whether a limit applies to the whole period. A limit per day that is to be kept several times in a longer period applies to
 * each day.
 */
function limitsPeriod({ span }: Period, target: Target): boolean {
  return isSummed(target) || !('times' in span.rhythm)
}

function askedOf({ span }: Period, target: Target): { counts: 'times' | 'at least'; asked: number } {
  if (target !== 'yes' && (isSummed(target) || !('times' in span.rhythm))) {
    return { counts: 'at least', asked: target.amount }
  }
  return { counts: 'times', asked: 'times' in span.rhythm ? span.rhythm.times : 1 }
}

/** A day on which the limit was exceeded can no longer be done. */
function canBeDone(track: HabitTrack, target: Target, day: number): boolean {
  if (target === 'yes' || target.at === 'least') return true
  return (track.amounts.get(day) ?? 0) <= target.amount
}

/** The results, in order, of the periods with at least one day in the range. Both ends are included. */
export function resultsBetween(track: HabitTrack, from: number, to: number, today: number): PeriodResult[] {
  return [...periodsBetween(track, from, to)].map((period) => resultOf(track, period, today))
}
