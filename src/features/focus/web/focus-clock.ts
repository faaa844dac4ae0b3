import type { Instant } from '#platform/calendar/day.ts'

/** What time it is for the timer. All of its instants come from here, since other devices go by them. */
export function timerNow(): Instant {
  return Date.now()
}
