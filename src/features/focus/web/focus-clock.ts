import type { Instant } from '#platform/calendar/day.ts'

/** What time it is for the timer, by this device's clock. All of its instants come from here. */
export function timerNow(): Instant {
  return Date.now()
}
