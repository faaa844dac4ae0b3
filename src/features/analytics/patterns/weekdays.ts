import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { type DayValue, type Metric, type MetricValue, sumOf } from '../metrics/day-value.ts'

/** All days with the same weekday, and their total. */
export interface WeekdayValue extends MetricValue {
  weekday: WeekStart
  days: DayValue[]
  /**
   * The value by which weekdays are compared: to-dos or seconds per day, or the share of due habits that were done. Undefined if
   * no habit was due.
   */
  rate: number | undefined
}

/** Each weekday that occurs, in the order of the person's week. */
export function byWeekday(metric: Metric, days: readonly DayValue[], weekStart: WeekStart): WeekdayValue[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((place) => {
    const weekday = (((weekStart - 1 + place) % 7) + 1) as WeekStart
    const those = days.filter(({ day }) => weekdayOf(day) === weekday)
    if (those.length === 0) return []
    const sum = sumOf(those)
    return { weekday, days: those, ...sum, rate: rateOf(metric, sum, those.length) }
  })
}

/** How many days of each weekday are needed before one weekday is called the best. */
export const minOfEachWeekday = 4

/**
 * The weekday with the highest rate; undefined while there are too few days of each, or if two weekdays share the first place.
 */
export function bestWeekday(weekdays: readonly WeekdayValue[]): WeekdayValue | undefined {
  if (weekdays.length < 7 || weekdays.some(({ days }) => days.length < minOfEachWeekday)) return undefined
  const [first, second] = weekdays.toSorted((a, b) => (b.rate ?? -1) - (a.rate ?? -1))
  return first?.rate !== undefined && first.rate > 0 && first.rate !== second?.rate ? first : undefined
}

function rateOf(metric: Metric, sum: MetricValue, dayCount: number): number | undefined {
  if (metric === 'habits') return sum.occasions === 0 ? undefined : sum.amount / sum.occasions
  return sum.amount / dayCount
}
