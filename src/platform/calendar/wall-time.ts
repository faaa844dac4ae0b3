import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'

/**
 * The day and time that calendar and clock on the wall show: a day from midnight to midnight, and the minutes after
 * midnight.
 */
export interface WallTime {
  day: Day
  time: number
}

export function wallTimeOf(instant: Instant, zone: string): WallTime {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  return { day: dayOf(instant, zone, 0), time: hour * 60 + minute }
}

/**
 * The instant at which the wall shows this time. A time that the clocks skip moves later by the skipped amount; for a time
 * that occurs twice, the first counts.
 */
export function instantOfWallTime({ day, time }: WallTime, zone: string): Instant {
  const midnight = Temporal.PlainDate.from(day).toPlainDateTime()
  return midnight.add({ minutes: time }).toZonedDateTime(zone).epochMilliseconds
}
