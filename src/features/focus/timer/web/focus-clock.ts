import { deviceClock } from '#platform/browser/clock/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** The current time for the timer, by this device's clock. All its instants come from here. */
export function timerNow(): Instant {
  return deviceClock.now()
}
