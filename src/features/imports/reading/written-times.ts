import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'

// Tables write days and times in many ways. A date with two possible meanings is never guessed.

/** Whether day or month comes first in a date such as 03/04/2026. */
export const dateOrders = ['Day first', 'Month first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** A local date and time. `seconds` is after midnight; undefined for a day without a time. */
export interface WrittenTime {
  day: Day
  seconds: number | undefined
  /** The exact instant, if the text has an offset: when clocks go back, two instants have the same local time. */
  instant?: Instant
}

interface ReadBy {
  /** The order of day and month. If undefined, dates that depend on it are not read. */
  order?: DateOrder | undefined
  /** The zone in which to show an instant such as 2026-11-20T23:30:00Z. */
  zone: string
}

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/
const compact = /^(\d{4})(\d{2})(\d{2})$/
const isoInstant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})$/i

/** Reads a day, with or without a time after it. */
export function timeIn(text: string, { order, zone }: ReadBy): WrittenTime | undefined {
  const written = text.trim()
  if (isoInstant.test(written))
    return wallTimeOf(Date.parse(written.replace(' ', 'T').replace(/\s/g, '')), zone)
  const [, date = '', time] = /^(\S+?)(?:,?\s+|T)(\d.*)$/i.exec(written) ?? [undefined, written]
  const day = dayIn(date, order)
  if (day === undefined) return undefined
  if (time === undefined) return { day, seconds: undefined }
  const seconds = clockIn(time)
  return seconds === undefined ? undefined : { day, seconds }
}

function wallTimeOf(instant: Instant, zone: string): WrittenTime | undefined {
  if (Number.isNaN(instant)) return undefined
  const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const day = daySchema.safeParse(shown.toPlainDate().toString()).data
  return day && { day, seconds: shown.hour * 3600 + shown.minute * 60 + shown.second, instant }
}

function dayIn(text: string, order: DateOrder | undefined): Day | undefined {
  const [, year = '', month = '', date = ''] = yearFirst.exec(text) ?? compact.exec(text) ?? []
  if (year !== '') return dayOfParts(year, month, date)
  const [, first = '', separator, second = '', last = ''] = yearLast.exec(text) ?? []
  if (last === '') return undefined
  const century = yearOf(last)
  const known = separator === '.' ? 'Day first' : (order ?? orderOf(century, first, second))
  if (known === undefined) return first === second ? dayOfParts(century, first, second) : undefined
  return known === 'Day first' ? dayOfParts(century, second, first) : dayOfParts(century, first, second)
}

function dayOfParts(year: string, month: string, date: string): Day | undefined {
  return daySchema.safeParse(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`).data
}

function yearOf(written: string): string {
  return written.length === 2 ? `20${written}` : written
}

/** The only order in which these numbers are a date; undefined if they are a date in both orders or in neither. */
function orderOf(year: string, first: string, second: string): DateOrder | undefined {
  const [dayFirst, monthFirst] = [dayOfParts(year, second, first), dayOfParts(year, first, second)]
  if ((dayFirst === undefined) === (monthFirst === undefined)) return undefined
  return dayFirst === undefined ? 'Month first' : 'Day first'
}

/**
 * The order of day and month that the dates of a file reveal. Undefined if no date depends on the order; `unknown` if some do but
 * none reveals it.
 */
export function orderOfDates(texts: Iterable<string>): DateOrder | 'unknown' | undefined {
  let matters = false
  for (const text of texts) {
    const [, first = '', separator, second = '', last = ''] =
      yearLast.exec(text.trim().split(/[\s,T]/, 1)[0] ?? '') ?? []
    if (first === '' || separator === '.') continue
    const told = orderOf(yearOf(last), first, second)
    if (told) return told
    matters ||= Number(first) !== Number(second) && dayOfParts(yearOf(last), first, second) !== undefined
  }
  return matters ? 'unknown' : undefined
}

/** A time of day in seconds after midnight: '9:05', '09:05:30', '9:05 PM'. */
export function clockIn(text: string): number | undefined {
  const [, hours = '', minutes = '', seconds = '0', half] =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?$/i.exec(text.trim()) ?? []
  if (hours === '') return undefined
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (minute > 59 || second > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined
  const ofDay = half ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour
  return ofDay * 3600 + minute * 60 + second
}

/** A duration in seconds: '01:30:00', '1:30' (hours and minutes), '1h 30m', or a number of `unit` seconds. */
export function durationIn(text: string, unit: number): number | undefined {
  const written = text.trim().toLowerCase()
  const clock = /^(\d+):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/.exec(written)
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)
  if (/^\d+([.,]\d+)?$/.test(written)) return Math.round(Number(written.replace(',', '.')) * unit)
  const [whole, hours, minutes, seconds] =
    /^(?:(\d+(?:\.\d+)?)\s*h\w*)?[\s,]*(?:(\d+)\s*m\w*)?[\s,]*(?:(\d+)\s*s\w*)?$/.exec(written) ?? []
  if (!whole) return undefined
  return Math.round(Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0))
}
