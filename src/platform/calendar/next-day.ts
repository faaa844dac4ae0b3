import { dayOf, type Instant } from './day.ts'

/**
 * The instant until which the day of `instant` is certain; work out the day again then. Usually this is the start of the next
 * day. It may also be a change of the zone's clocks. The change may skip the start of the next day, which then begins at the
 * change. Or that start occurs twice, and the next day begins, ends and begins again.
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
