import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Range } from './range.ts'

// Apart from how a range is read from the URL, which every screen has.

export const defaultRange: Range = 30

/** The days of a range, and the same number of days before it. */
export function daysOf(range: Range, today: Day): DayRange & { before: DayRange } {
  const count = range === 'year' ? 365 : range
  const from = addDays(today, 1 - count)
  return { from, to: today, before: { from: addDays(from, -count), to: addDays(from, -1) } }
}

/** The time that one bar of the chart covers. With a bar for each of ninety days, the bars would be too thin to point at. */
export type Unit = 'day' | 'week' | 'month'

export function unitOf(range: Range): Unit {
  if (range === 'year') return 'month'
  return range === 90 ? 'week' : 'day'
}
