import { type Day, dayFromNumber } from '#platform/calendar/day.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'
import { type PeriodResult, shareOf } from '../rhythm/period-result.ts'

// Strength is 100 · Σ wₖ sₖ / Σ wₖ: s is the share of a period's target that was reached, and w halves in about 30 days.
// Only the proportion of the weights matters, so it can be summed from the oldest period to the newest, and go on from
// there.

/** The mean share of the periods so far, and the sum of their weights as seen from the newest. */
export interface WeightedShares {
  mean: number
  weight: number
}

export const noShares: WeightedShares = { mean: 0, weight: 0 }

/** How long after the start day strength is not told. */
const daysUntold = 14

/**
 * From 0 to 100; null in the first 14 days, and until a period counts. `results` are all up to today that `before` does not
 * contain, in order.
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

/** A newer period makes the older ones weigh less, whether it counts itself or not. */
export function withShare(before: WeightedShares, result: PeriodResult): WeightedShares {
  if (!takesAStep(result)) return before
  const older = before.weight * decayOf(result)
  if (result.result === 'out') return { mean: before.mean, weight: older }
  const weight = older + 1
  return { mean: before.mean + (shareOf(result) - before.mean) / weight, weight }
}

/** One row of how strength was summed; the newest period first. */
export interface StrengthRow {
  from: Day
  to: Day
  result: PeriodResult['result']
  target: number
  reached: number
  /** Of its target, at most 1. */
  share: number
  /** Beside the newest period's 1; 0 if it counts neither for nor against. */
  weight: number
}

export interface StrengthSum {
  rows: StrengthRow[]
  /** What all older periods weigh together, and their mean share. */
  earlier: { weight: number; share: number }
  strength: number | null
}

/** How strength was summed, so that a person can check it: 100 · Σ (weight · share) / Σ weight. */
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

/** One that is not over and not done is not among them. */
function takesAStep({ result }: PeriodResult): boolean {
  return result === 'done' || result === 'failed' || result === 'out'
}

/** How much less the periods before this one weigh: by half in H of them. */
function decayOf({ period }: PeriodResult): number {
  return 0.5 ** (1 / Math.max(4, 30 / period.length))
}
