import { addDays, type Day, dayNumber, daySchema } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'

/** How far the dashboard looks back: so many days up to today, or a year. */
export const ranges = [7, 30, 90, 'year'] as const
export type Range = (typeof ranges)[number]

export const usualRange: Range = 30

/** What may stand in the address of the dashboard; anything else is undefined, in so many words, or it would stay. */
export function rangeInAddress(search: Record<string, unknown>): { range?: Range | undefined } {
  return { range: ranges.find((known) => String(known) === String(search.range)) }
}

/** The days of a range, and as many before it. */
export function daysOf(range: Range, today: Day): DayRange & { before: DayRange } {
  const count = range === 'year' ? 365 : range
  const from = addDays(today, 1 - count)
  return { from, to: today, before: { from: addDays(from, -count), to: addDays(from, -1) } }
}

/** What a bar of the chart stands for. Ninety days would be bars too thin to be pointed at. */
export type Unit = 'day' | 'week' | 'month'

export function unitOf(range: Range): Unit {
  if (range === 'year') return 'month'
  return range === 90 ? 'week' : 'day'
}

/** The longest list that an address can ask for. */
export const mostListed = 366

/** What may stand in the address of a list: two days in order, not too far apart. */
export function daysInAddress(search: Record<string, unknown>): {
  from?: Day | undefined
  to?: Day | undefined
} {
  const from = daySchema.safeParse(search.from).data
  const to = daySchema.safeParse(search.to).data
  if (from === undefined || to === undefined || from > to) return { from: undefined, to: undefined }
  return { from: dayNumber(to) - dayNumber(from) < mostListed ? from : addDays(to, 1 - mostListed), to }
}
