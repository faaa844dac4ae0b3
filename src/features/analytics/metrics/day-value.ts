import type { Day } from '#platform/calendar/day.ts'

/** The metrics that are counted for each day. */
export const metrics = ['todos', 'habits', 'focus'] as const
export type Metric = (typeof metrics)[number]

/** The value of one metric for a day or a group of days. */
export interface MetricValue {
  /** Completed to-dos, completed habits, or seconds of focus. */
  amount: number
  /** Due habits or focus sessions; 0 for to-dos. */
  occasions: number
}

export interface DayValue extends MetricValue {
  day: Day
}

export function sumOf(values: readonly MetricValue[]): MetricValue {
  let [amount, occasions] = [0, 0]
  for (const value of values) {
    amount += value.amount
    occasions += value.occasions
  }
  return { amount, occasions }
}

export function between<Row extends { day: Day }>(
  days: readonly Row[],
  { from, to }: { from: Day; to: Day },
): Row[] {
  return days.filter(({ day }) => day >= from && day <= to)
}
