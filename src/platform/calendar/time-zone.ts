import type { Instant } from './day.ts'

/** Whether two names are one zone: runtimes differ in which of its names they use (Asia/Calcutta, Asia/Kolkata). */
export function isSameTimeZone(one: string, other: string): boolean {
  if (one === other) return true
  try {
    const moment = Temporal.Instant.fromEpochMilliseconds(0)
    return moment.toZonedDateTimeISO(one).equals(moment.toZonedDateTimeISO(other))
  } catch {
    // One of them is unknown here.
    return false
  }
}

/** How far the zone's clocks are ahead of UTC at an instant, such as '+05:30'. */
export function offsetOf(zone: string, instant: Instant): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offset
}
