import { addDays, type Day, dayNumber, daySchema } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'

/** How far the dashboard looks back: a number of days up to today, or a year. */
export const ranges = [7, 30, 90, 'year'] as const
export type Range = (typeof ranges)[number]

export const defaultRange: Range = 30

/** What the dashboard's address may contain; anything else is explicitly set to undefined, or it would stay. */
export function parseRange(search: Record<string, unknown>): { range?: Range | undefined } {
  return { range: ranges.find((known) => String(known) === String(search.range)) }
}

/** The days of a range, and as many before it. */
export function daysOf(range: Range, today: Day): DayRange & { before: DayRange } {
  const count = range === 'year' ? 365 : range
  const from = addDays(today, 1 - count)
  return { from, to: today, before: { from: addDays(from, -count), to: addDays(from, -1) } }
}

/** What one bar of the chart covers. Ninety single days would be bars too thin to point at. */
export type Unit = 'day' | 'week' | 'month'

export function unitOf(range: Range): Unit {
  if (range === 'year') return 'month'
  return range === 90 ? 'week' : 'day'
}

/** The longest list, in days, that an address can ask for. */
export const maxListedDays = 366

/** What a list's address may contain: two days in order, not too far apart. */
export function parseDays(search: Record<string, unknown>): {
  from?: Day | undefined
  to?: Day | undefined
} {
  const from = daySchema.safeParse(search.from).data
  const to = daySchema.safeParse(search.to).data
  if (from === undefined || to === undefined || from > to) return { from: undefined, to: undefined }
  return { from: dayNumber(to) - dayNumber(from) < maxListedDays ? from : addDays(to, 1 - maxListedDays), to }
}
