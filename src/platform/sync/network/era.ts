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
 * for that era or too late. `seen`: what it showed when this page saw that.
 */
export function aheadIn(
  { guess, device }: ServerClock,
  era: number,
  shown?: Instant,
  seen = device.shifts[era]?.until ?? device.now(),
): number {
  let earlier = era
  let latest = seen
  while (shown !== undefined && earlier > 0) {
    const began = device.shifts[earlier - 1]
    if (!began || (shown >= began.earliest && shown <= latest)) break
    earlier -= 1
    latest = began.until
  }
  return guess + device.setSince(earlier)
}
