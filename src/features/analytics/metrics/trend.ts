import type { Day } from '#platform/calendar/day.ts'
import { type DayValue, type Metric, type MetricValue, sumOf } from './day-value.ts'

/** How a range compares with the range before it. */
export type Trend =
  /** The range before has nothing to compare with. */
  | { kind: 'first' }
  /** Habits were due in the range before. In this range none was due, apart from habits that are due today and still open. */
  | { kind: 'none due' }
  | { kind: 'same' }
  /** `by` is in to-dos, percentage points or seconds, and always more than 0. */
  | { kind: 'more' | 'less'; by: number; before: number; now: number }

/**
 * Compares two ranges: to-dos by number, focus by seconds, and habits by the share of due habits that were done. Habits use whole
 * percent, because both shares are shown and have to differ by the points that are shown.
 */
export function trendOf(metric: Metric, now: MetricValue, before: MetricValue): Trend {
  if ((metric === 'habits' ? before.occasions : before.amount) === 0) return { kind: 'first' }
  if (metric === 'habits' && now.occasions === 0) return { kind: 'none due' }
  const [past, present] = [comparableNumber(metric, before), comparableNumber(metric, now)]
  if (past === present) return { kind: 'same' }
  return { kind: present > past ? 'more' : 'less', by: Math.abs(present - past), before: past, now: present }
}

/**
 * The value of a range as its trend counts it. A habit that is due today and still open is left out: it can be done until
 * midnight, and counting it as missed would show a fall every morning. A habit done today counts at once. To-dos and focus
 * include today as it is, because people read the sum of an unfinished day as unfinished.
 */
export function comparableValue(metric: Metric, days: readonly DayValue[], today: Day): MetricValue {
  if (metric !== 'habits') return sumOf(days)
  return sumOf(days.map((value) => (value.day === today ? { ...value, occasions: value.amount } : value)))
}

/** The share in whole percent. Rounding never makes it 100 unless everything was done, nor 0 unless nothing was. */
export function wholePercent({ amount, occasions }: MetricValue): number {
  if (amount === 0) return 0
  if (amount === occasions) return 100
  return Math.min(99, Math.max(1, Math.round((amount / occasions) * 100)))
}

function comparableNumber(metric: Metric, value: MetricValue): number {
  return metric === 'habits' ? wholePercent(value) : value.amount
}
