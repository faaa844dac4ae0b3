import { type Day, dayFromNumber } from '#platform/calendar/day.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'
import { type PeriodResult, shareOf } from '../rhythm/period-result.ts'

// Strength is 100 · Σ wₖ sₖ / Σ wₖ: s is the reached share of a period's target, and w halves in about 30 days. Only the ratio of
// the weights matters. So the sum can be computed from the oldest period to the newest, and continued later.

/** The mean share of the periods so far, and the sum of their weights relative to the newest period. */
export interface WeightedShares {
  mean: number
  weight: number
}

export const noShares: WeightedShares = { mean: 0, weight: 0 }

/** Days after the start day during which no strength is shown. */
const daysUntold = 14

/**
 * From 0 to 100; null in the first 14 days, and until a period counts. `results` are all periods up to today that `before` does
 * not contain, in order.
 */
export function strengthOf(
  track: HabitTrack,
  results: readonly PeriodResult[],
  today: number,
  before: WeightedShares = noShares,
): number | null {
  if (today < track.start + daysUntold) return null
  const { mean, weight } = upTo(today, results).reduce(withShare, before)
  return weight > 0 ? 100 * mean : null
}

/** Every period makes the older ones weigh less, even if it does not count itself. */
export function withShare(before: WeightedShares, result: PeriodResult): WeightedShares {
  if (!takesAStep(result)) return before
  const older = before.weight * decayOf(result)
  if (result.result === 'out') return { mean: before.mean, weight: older }
  const weight = older + 1
  return { mean: before.mean + (shareOf(result) - before.mean) / weight, weight }
}

/** One row of the sum behind a strength. Rows are ordered from the newest period. */
export interface StrengthRow {
  from: Day
  to: Day
  result: PeriodResult['result']
  target: number
  reached: number
  /** The reached share of the target, at most 1. */
  share: number
  /** Relative to the newest period, which weighs 1; 0 if the period does not count. */
  weight: number
}

export interface StrengthSum {
  rows: StrengthRow[]
  /** The total weight of all older periods, and their mean share. */
  earlier: { weight: number; share: number }
  strength: number | null
}

/** How a strength was computed, so that a person can check it: 100 · Σ (weight · share) / Σ weight. */
export function strengthSum(
  track: HabitTrack,
  results: readonly PeriodResult[],
  today: number,
  before: WeightedShares = noShares,
): StrengthSum {
  let weight = 1
  const rows = upTo(today, results)
    .filter(takesAStep)
    .toReversed()
    .map((result): StrengthRow => {
      const row = {
        from: dayFromNumber(result.period.first),
        to: dayFromNumber(result.period.last),
        result: result.result,
        target: result.target,
        reached: result.reached,
        share: shareOf(result),
        weight: result.result === 'out' ? 0 : weight,
      }
      weight *= decayOf(result)
      return row
    })
  return {
    rows,
    earlier: { weight: weight * before.weight, share: before.mean },
    strength: strengthOf(track, results, today, before),
  }
}

function upTo(today: number, results: readonly PeriodResult[]): PeriodResult[] {
  return results.filter(({ period }) => period.first <= today)
}

/** Whether a period affects strength: only a period that is over or done does. */
function takesAStep({ result }: PeriodResult): boolean {
  return result === 'done' || result === 'failed' || result === 'out'
}

/**
 * The factor by which this period reduces the weight of older ones. Their weight halves in 30 days, or in 4 periods if that takes
 * longer.
 */
function decayOf({ period }: PeriodResult): number {
  return 0.5 ** (1 / Math.max(4, 30 / period.length))
}
