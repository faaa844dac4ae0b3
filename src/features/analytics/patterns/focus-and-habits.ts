import { type DayValue, type MetricValue, sumOf } from '../metrics/day-value.ts'

/** Days with a similar amount of focus time, and the total of those days' habits. */
export interface FocusBand extends MetricValue {
  /** Bounds in seconds: more than `over` and at most `upTo`. If both are 0, the band has the days without focus time. */
  over: number
  upTo: number
  days: DayValue[]
}

const bands = [
  { over: 0, upTo: 0 },
  { over: 0, upTo: 1_800 },
  { over: 1_800, upTo: 3_600 },
  { over: 3_600, upTo: Number.POSITIVE_INFINITY },
]

/** Groups days by focus time. Days on which no habit was due say nothing about habits, so they are in no band. */
export function habitsByFocus(habits: readonly DayValue[], focus: readonly DayValue[]): FocusBand[] {
  const seconds = new Map(focus.map(({ day, amount }) => [day, amount]))
  const due = habits.filter(({ occasions }) => occasions > 0)
  return bands.map(({ over, upTo }) => {
    const those = due.filter(({ day }) => {
      const focused = seconds.get(day) ?? 0
      return upTo === 0 ? focused === 0 : focused > over && focused <= upTo
    })
    return { over, upTo, days: those, ...sumOf(those) }
  })
}
