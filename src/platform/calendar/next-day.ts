import { dayOf, type Instant } from './day.ts'

/**
 * The day of `instant` holds at least until this later instant; what day it is then has to be asked anew.
 * Mostly that is where the next day begins. Where the zone's clocks change before, the day may begin at the change
 * (its start is skipped), or begin, end and begin again (its start comes twice): so every change is stopped at.
 */
export function dayHoldsUntil(instant: Instant, zone: string, dayStart: number): Instant {
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
