import type { Instant } from '#platform/calendar/day.ts'

/** What a field of day and time shows for an instant: '2026-11-27T09:00' on the wall clock of `zone`. */
export function fieldOfInstant(instant: Instant, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/** A time that the clocks skip is as much later, one that comes twice is the first. Undefined where it is none. */
export function instantOfField(text: string, zone: string): Instant | undefined {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return undefined
  }
}
