import type { DayValue, Metric, MetricValue } from '../metrics/day-value.ts'

/** How high the value of a day is: 0 is nothing, 4 the highest. */
export type Level = 0 | 1 | 2 | 3 | 4

/** The largest amount of levels 1, 2 and 3; undefined for habits, whose levels are shares of what was due. */
export type Steps = readonly [number, number, number]

const quarterHour = 900

/**
 * Equal steps up to a very good day of this person. Nine in ten active days are below that, so that one extraordinary day does
 * not make all others look pale.
 */
export function stepsOf(metric: Metric, days: readonly DayValue[]): Steps | undefined {
  if (metric === 'habits') return undefined
  const amounts = days.map(({ amount }) => amount).filter((amount) => amount > 0)
  const good = amounts.toSorted((a, b) => a - b)[Math.floor(amounts.length * 0.9)] ?? 0
  const unit = metric === 'focus' ? quarterHour : 1
  const step = Math.max(1, Math.round(good / 4 / unit)) * unit
  return [step, 2 * step, 3 * step]
}

export function levelOf({ amount, occasions }: MetricValue, steps: Steps | undefined): Level {
  if (amount === 0) return 0
  if (steps) return amount <= steps[0] ? 1 : amount <= steps[1] ? 2 : amount <= steps[2] ? 3 : 4
  if (amount >= occasions) return 4
  if (amount * 3 <= occasions) return 1
  return amount * 3 <= occasions * 2 ? 2 : 3
}
