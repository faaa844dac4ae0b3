import type { DeviceClock } from '#platform/browser/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { ServerClock } from './server-clock.ts'

// An era of a device's clock is the time between two shifts of it: what it showed in one can mean another time than in the next.

/** The one that it is in. */
export function eraOf(device: DeviceClock): number {
  device.now()
  return device.era
}

/**
 * How far the server's clock is ahead of what the device's showed in that era; or in an earlier one, if what it showed is too early
 * for a clock that was set forward, or later than all that one which was set back has shown since.
 */
export function aheadIn({ guess, device }: ServerClock, era: number, shown?: Instant): number {
  const now = device.now()
  const { shifts } = device
  let earlier = era
  for (; shown !== undefined && earlier > 0; earlier--) {
    const [began, ended] = [shifts[earlier - 1], shifts[earlier]]
    const isTooEarly = began && began.by > 0 && shown < began.earliest
    const isTooLate = shown > (ended ? ended.at - ended.by : now)
    if (!isTooEarly && !isTooLate) break
  }
  return guess + device.setSince(earlier)
}
