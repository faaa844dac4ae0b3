import type { Frequency } from '../streak.ts'

/** The unit of a streak: '23' goes with 'days', '1' with 'week'. */
export function unitOf(count: number, frequency: Frequency): string {
  const unit = frequency === 'daily' ? 'day' : 'week'
  return count === 1 ? unit : `${unit}s`
}
