import * as z from 'zod/mini'

/** A calendar date in the person's own calendar, `YYYY-MM-DD`. Compares and sorts as text. */
export type Day = string & { readonly __day: never }

/** Milliseconds since the epoch. On the wire it is ISO 8601 in UTC. */
export type Instant = number

/** The first and last day that people can choose. */
export const [firstChoosable, lastChoosable] = ['1900-01-01', '2199-12-31']

export const daySchema = z.pipe(
  z.iso
    .date('Expected a day as YYYY-MM-DD')
    .check(z.refine((text) => text >= firstChoosable, 'Expected a day from 1900 on')),
  z.transform((text) => text as Day),
)

/** The schema of an instant that stays text, as on the wire. */
export const instantTextSchema = z.iso.datetime({
  message: 'Expected an instant in UTC, such as 2026-11-20T09:30:00.000Z',
  // Stop here: a text that is not an instant cannot be compared with others.
  abort: true,
})

/** Takes the place of an instant that cannot be read. */
export const longAgo = '1970-01-01T00:00:00.000Z'

export const instantSchema = z.pipe(instantTextSchema, z.transform(instantFromWire))

/**
 * The instant of a change. An instant before 1970 comes from a wrong clock and becomes 0, the start of 1970. A field that
 * nobody has changed yet also has 0, and every change replaces it.
 */
export const changeInstantSchema = z.pipe(
  instantTextSchema,
  z.transform((text) => Math.max(0, instantFromWire(text))),
)

export function instantFromWire(text: string): Instant {
  return Date.parse(text)
}

export function instantToWire(instant: Instant): string {
  return new Date(instant).toISOString()
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

/** An instant as sent, but at most `now`. */
export function notLater(instant: string, now: Instant): string {
  return instantFromWire(instant) > now ? instantToWire(now) : instant
}

/**
 * The day of an instant for a person in `zone` whose day begins `dayStart` minutes after midnight. It moves the wall clock
 * back, not the instant, so that daylight saving never adds or drops a day.
 */
export function dayOf(instant: Instant, zone: string, dayStart: number): Day {
  const wallClock = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime()
  return wallClock.subtract({ minutes: dayStart }).toPlainDate().toString() as Day
}

/** The latest day anywhere on Earth (UTC+14): after a flight east, a change may reach the server before the new zone does. */
export function latestDayAnywhere(instant: Instant): Day {
  return new Date(instant + 14 * 3_600_000).toISOString().slice(0, 10) as Day
}

/** The earliest day anywhere on Earth (UTC-12), for a person whose day begins as late as possible, at 6:00. */
export function earliestDayAnywhere(instant: Instant): Day {
  return new Date(instant - 18 * 3_600_000).toISOString().slice(0, 10) as Day
}

/** Days since 1970-01-01, so that distances and neighbours are plain arithmetic. */
export function dayNumber(day: Day): number {
  const [year, month, date] = [digitsOf(day, 0, 4), digitsOf(day, 5, 7), digitsOf(day, 8, 10)]
  // Years begin in March here, so that the leap day comes last.
  const [march, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9]
  const leapDays = Math.floor(march / 4) - Math.floor(march / 100) + Math.floor(march / 400)
  return march * 365 + leapDays + Math.floor((153 * months + 2) / 5) + date - 1 - marchOfYearZero
}

export function dayFromNumber(number: number): Day {
  const days = number + marchOfYearZero
  const era = Math.floor(days / daysIn400Years)
  const ofEra = days - era * daysIn400Years
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const months = Math.floor((5 * ofYear + 2) / 153)
  const date = ofYear - Math.floor((153 * months + 2) / 5) + 1
  const month = months < 10 ? months + 3 : months - 9
  const year = era * 400 + yearOfEra + (month > 2 ? 0 : 1)
  return `${String(year).padStart(4, '0')}-${twoDigits[month]}-${twoDigits[date]}` as Day
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const marchOfYearZero = 719_468
const daysIn400Years = 146_097
const twoDigits = Array.from({ length: 32 }, (_, number) => String(number).padStart(2, '0'))

/** Reads digits without parsing text, which is ten times as fast: a person's collections need it for thousands of days. */
function digitsOf(day: Day, start: number, end: number): number {
  let number = 0
  for (let place = start; place < end; place++) number = number * 10 + day.charCodeAt(place) - 48
  return number
}

export function addDays(day: Day, days: number): Day {
  return dayFromNumber(dayNumber(day) + days)
}

/** Every day from the first to the last, both included; none if the last is before the first. */
export function daysFrom(first: Day, last: Day): Day[] {
  const start = dayNumber(first)
  const count = Math.max(0, dayNumber(last) - start + 1)
  return Array.from({ length: count }, (_, offset) => dayFromNumber(start + offset))
}
