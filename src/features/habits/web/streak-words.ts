import type { Frequency, Kept } from '../streak.ts'

/** The unit of a streak: '23' goes with 'days', '1' with 'week'. */
export function unitOf(count: number, frequency: Frequency): string {
  const unit = frequency === 'daily' ? 'day' : 'week'
  return count === 1 ? unit : `${unit}s`
}

/** '93 %'. What is not all is never called 100, what is not nothing never 0. */
export function percentOf({ done, due }: Kept): string {
  const rounded = Math.round((done / due) * 100)
  const percent = done === due ? 100 : done === 0 ? 0 : Math.min(99, Math.max(1, rounded))
  return `${percent}\u00a0%`
}

/** For the number of a streak or a rate, such as '1,204'. */
export const inDigits = new Intl.NumberFormat('en-GB')
