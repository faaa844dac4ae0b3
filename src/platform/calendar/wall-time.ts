import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'

/** What calendar and clock on the wall show: a day from midnight, and the minutes after it. */
export interface WallTime {
  day: Day
  time: number
}

export function wallTimeOf(instant: Instant, zone: string): WallTime {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  return { day: dayOf(instant, zone, 0), time: hour * 60 + minute }
}

/** A time that the clocks skip becomes as much later; of one that occurs twice, the first counts. */
export function instantOfWallTime({ day, time }: WallTime, zone: string): Instant {
  const midnight = Temporal.PlainDate.from(day).toPlainDateTime()
  return midnight.add({ minutes: time }).toZonedDateTime(zone).epochMilliseconds
}
