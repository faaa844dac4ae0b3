import type { Day } from '#platform/calendar/day.ts'

/** What is counted for each day. */
export const metrics = ['todos', 'habits', 'focus'] as const
export type Metric = (typeof metrics)[number]

/** The value of one metric for a day or a group of days. */
export interface MetricValue {
  /** To-dos completed, habits completed, or seconds focused. */
  amount: number
  /** Habits that were due, or focus sessions; 0 for to-dos. */
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
