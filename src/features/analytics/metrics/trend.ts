import type { Day } from '#platform/calendar/day.ts'
import { type DayValue, type Metric, type MetricValue, sumOf } from './day-value.ts'

/** How a range compares with the one before it. */
export type Trend =
  /** There is nothing earlier to compare with. */
  | { kind: 'first' }
  /** Habits were due before, but nothing in this range can be compared. */
  | { kind: 'none due' }
  | { kind: 'same' }
  /** `by` to-dos, percentage points or seconds; always more than 0. */
  | { kind: 'more' | 'less'; by: number; before: number; now: number }

/**
 * To-dos are compared by number, focus by seconds. Habits are compared by the share of due ones that were done, in whole
 * percent: both shares are shown, and the points have to be their difference.
 */
export function trendOf(metric: Metric, now: MetricValue, before: MetricValue): Trend {
  if ((metric === 'habits' ? before.occasions : before.amount) === 0) return { kind: 'first' }
  if (metric === 'habits' && now.occasions === 0) return { kind: 'none due' }
  const [past, present] = [comparableNumber(metric, before), comparableNumber(metric, now)]
  if (past === present) return { kind: 'same' }
  return { kind: present > past ? 'more' : 'less', by: Math.abs(present - past), before: past, now: present }
}

/**
 * The value of a range for its trend. A habit that is due today and still open is left out: it can be done until midnight,
 * and counting it as missed would show a fall every morning. What is done today counts, so that doing it shows at once.
 * To-dos and focus include today as it is: people read sums of an unfinished range as unfinished, and neither is ever due.
 */
export function comparableValue(metric: Metric, days: readonly DayValue[], today: Day): MetricValue {
  if (metric !== 'habits') return sumOf(days)
  return sumOf(days.map((value) => (value.day === today ? { ...value, occasions: value.amount } : value)))
}

/** Anything less than everything is never 100 %, anything more than nothing never 0 %. */
export function wholePercent({ amount, occasions }: MetricValue): number {
  if (amount === 0) return 0
  if (amount === occasions) return 100
  return Math.min(99, Math.max(1, Math.round((amount / occasions) * 100)))
}

function comparableNumber(metric: Metric, value: MetricValue): number {
  return metric === 'habits' ? wholePercent(value) : value.amount
}
