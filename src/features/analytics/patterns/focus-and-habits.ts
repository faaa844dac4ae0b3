import { type DayValue, type MetricValue, sumOf } from '../metrics/day-value.ts'

/** Days grouped by how long the focus time was, and the habits of those days together. */
export interface FocusBand extends MetricValue {
  /** More than `over` seconds and at most `upTo`; both 0 mean no focus time. */
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

/** Days on which no habit was due say nothing about habits and are in no band. */
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
