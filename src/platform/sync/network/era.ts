import type { DeviceClock, Shift } from '#platform/browser/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { ServerClock } from './server-clock.ts'

// An era of a device's clock is the time between two shifts of it: what it showed in one can mean another time than in the next.

/** The one that it is in. */
export function eraOf(device: DeviceClock): number {
  device.now()
  return device.era
}

/**
 * How far the server's clock is ahead of what the device's showed in that era; or in an earlier one, if what it showed was too early
 * for a clock that was set forward, or is yet to come by one that was set back.
 */
export function aheadIn({ guess, device }: ServerClock, era: number, shown?: Instant): number {
  const now = device.now()
  const isBefore = ({ by, at }: Shift) => shown !== undefined && (by > 0 ? shown < at - by / 2 : shown > now)
  const earlier = device.shifts.slice(0, era)
  const known = earlier.length - 1 - earlier.findLastIndex((shift) => !isBefore(shift))
  return guess + device.setSince(era - known)
}
