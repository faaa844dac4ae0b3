import { type DayFigure, type Figure, sumOf } from './day-figure.ts'

/** Days by how long was focused on them, and the habits of those days together. */
export interface FocusBand extends Figure {
  /** More than `over` seconds and at most `upTo`; both 0: none at all. */
  over: number
  upTo: number
  days: DayFigure[]
}

const bands = [
  { over: 0, upTo: 0 },
  { over: 0, upTo: 1_800 },
  { over: 1_800, upTo: 3_600 },
  { over: 3_600, upTo: Number.POSITIVE_INFINITY },
]

/** Days on which no habit was due say nothing about habits and are in no band. */
export function habitsByFocus(habits: readonly DayFigure[], focus: readonly DayFigure[]): FocusBand[] {
  const seconds = new Map(focus.map(({ day, amount }) => [day, amount]))
  const due = habits.filter(({ beside }) => beside > 0)
  return bands.map(({ over, upTo }) => {
    const those = due.filter(({ day }) => {
      const focused = seconds.get(day) ?? 0
      return upTo === 0 ? focused === 0 : focused > over && focused <= upTo
    })
    return { over, upTo, days: those, ...sumOf(those) }
  })
}
