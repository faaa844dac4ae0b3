import { deviceClock } from '#platform/browser/clock/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** The current instant by this device's clock. Every instant of the timer comes from here. */
export function timerNow(): Instant {
  return deviceClock.now()
}
