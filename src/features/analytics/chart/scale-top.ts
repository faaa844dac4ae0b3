import type { Metric, MetricValue } from '../metrics/day-value.ts'

/** The possible tops of a focus chart in seconds. They are round durations, so that their names are short. */
const tops = [900, 1_800, 3_600, 5_400, 7_200, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000]

/** The value at the top of a chart: the highest bar or, for focus, the next round duration above it. */
export function scaleTopOf(metric: Metric, values: readonly MetricValue[]): number {
  const highest = Math.max(
    1,
    ...values.map(({ amount, occasions }) => (metric === 'habits' ? Math.max(amount, occasions) : amount)),
  )
  if (metric !== 'focus') return highest
  return tops.find((top) => top >= highest) ?? Math.ceil(highest / 36_000) * 36_000
}
