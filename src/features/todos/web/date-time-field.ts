import type { Instant } from '#platform/calendar/day.ts'

/** The value of a date and time field for an instant: '2026-11-27T09:00' on the wall clock of `zone`. */
export function fieldOfInstant(instant: Instant, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/** A time that the clocks skip becomes as much later; of one that occurs twice, the first counts. Undefined if invalid. */
export function instantOfField(text: string, zone: string): Instant | undefined {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return undefined
  }
}
