import type { Instant } from './day.ts'

/** The zone's offset from UTC at an instant, such as '+05:30'. */
export function offsetOf(zone: string, instant: Instant): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offset
}
