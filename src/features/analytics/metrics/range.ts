import { addDays, type Day, dayNumber, daySchema } from '#platform/calendar/day.ts'

/** How far the dashboard looks back: so many days up to today, or a year. */
export const ranges = [7, 30, 90, 'year'] as const
export type Range = (typeof ranges)[number]

/**
 * The range in the dashboard's URL. An invalid range is explicitly set to undefined, because the router would keep it otherwise.
 */
export function parseRange(search: Record<string, unknown>): { range?: Range | undefined } {
  return { range: ranges.find((known) => String(known) === String(search.range)) }
}

/** The most days that the URL of a list may ask for. */
export const maxListedDays = 366

/** The days in the URL of a list: two days in order, at most `maxListedDays` apart. */
export function parseDays(search: Record<string, unknown>): {
  from?: Day | undefined
  to?: Day | undefined
} {
  const from = daySchema.safeParse(search.from).data
  const to = daySchema.safeParse(search.to).data
  if (from === undefined || to === undefined || from > to) return { from: undefined, to: undefined }
  return { from: dayNumber(to) - dayNumber(from) < maxListedDays ? from : addDays(to, 1 - maxListedDays), to }
}
