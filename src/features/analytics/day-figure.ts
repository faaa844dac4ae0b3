import type { Day } from '#platform/calendar/day.ts'

/** The three things that are counted of a day. */
export const measures = ['todos', 'habits', 'focus'] as const
export type Measure = (typeof measures)[number]

/** What a day, or a group of days, came to in one measure. */
export interface Figure {
  /** To-dos completed, habits completed, or seconds focused. */
  amount: number
  /** Habits that were due, or focus sessions; 0 for to-dos. */
  beside: number
}

export interface DayFigure extends Figure {
  day: Day
}

export function sumOf(figures: readonly Figure[]): Figure {
  let [amount, beside] = [0, 0]
  for (const figure of figures) {
    amount += figure.amount
    beside += figure.beside
  }
  return { amount, beside }
}

export function between<Row extends { day: Day }>(
  days: readonly Row[],
  { from, to }: { from: Day; to: Day },
): Row[] {
  return days.filter(({ day }) => day >= from && day <= to)
}
