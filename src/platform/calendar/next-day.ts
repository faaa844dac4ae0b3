import { dayOf, type Instant } from './day.ts'

/**
 * The day of `instant` lasts at least until this later instant; at that point, work out the day again.
 * Usually that is when the next day begins. If the zone's clocks change before, the next day may begin at the change (its
 * start is skipped), or begin, end and begin again (its start occurs twice). So this also stops at every change.
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
