import { dayOf, type Instant } from './day.ts'

/**
 * The instant until which the day of `instant` is certain; work out the day again then. Usually the next day begins at that
 * point. If the zone's clocks change before, the next day may begin at the change (its start is skipped), or begin, end and
 * begin again (its start occurs twice). So every clock change is such a point too.
 */
export function dayValidUntil(instant: Instant, zone: string, dayStart: number): Instant {
  const now = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const start = Temporal.PlainDate.from(dayOf(instant, zone, dayStart))
    .add({ days: 1 })
    .toPlainDateTime()
    .add({ minutes: dayStart })
  const moments = [
    start.toZonedDateTime(zone, { disambiguation: 'earlier' }),
    start.toZonedDateTime(zone, { disambiguation: 'later' }),
    now.getTimeZoneTransition('next'),
  ].flatMap((moment) => (moment ? [moment.epochMilliseconds] : []))
  return Math.min(...moments.filter((moment) => moment > instant))
}
