import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { type DayFigure, type Figure, type Measure, sumOf } from './day-figure.ts'

/** Every Monday together, every Tuesday, and so on. */
export interface WeekdayFigure extends Figure {
  weekday: WeekStart
  days: DayFigure[]
  /** By which they compare: to-dos or seconds a day, the share of habits; undefined where there is nothing to share. */
  rate: number | undefined
}

/** Each weekday that occurs, in the order of the person's week. */
export function byWeekday(
  measure: Measure,
  days: readonly DayFigure[],
  weekStart: WeekStart,
): WeekdayFigure[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((place) => {
    const weekday = (((weekStart - 1 + place) % 7) + 1) as WeekStart
    const those = days.filter(({ day }) => weekdayOf(day) === weekday)
    if (those.length === 0) return []
    const sum = sumOf(those)
    return { weekday, days: those, ...sum, rate: rateOf(measure, sum, those.length) }
  })
}

/** So many of a weekday, at least, before one is called the best. */
export const leastWeekdays = 4

/** The weekday with the highest rate; undefined while there are too few of each, or when two are as good. */
export function bestWeekday(weekdays: readonly WeekdayFigure[]): WeekdayFigure | undefined {
  if (weekdays.length < 7 || weekdays.some(({ days }) => days.length < leastWeekdays)) return undefined
  const [first, second] = weekdays.toSorted((a, b) => (b.rate ?? -1) - (a.rate ?? -1))
  return first?.rate !== undefined && first.rate > 0 && first.rate !== second?.rate ? first : undefined
}

function rateOf(measure: Measure, sum: Figure, dayCount: number): number | undefined {
  if (measure === 'habits') return sum.beside === 0 ? undefined : sum.amount / sum.beside
  return sum.amount / dayCount
}
