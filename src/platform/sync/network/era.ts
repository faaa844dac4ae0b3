import type { DeviceClock } from '#platform/browser/clock/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { ServerClock } from './server-clock.ts'

// An era of a device's clock is the time between two shifts of it: what it showed in one can mean another time than in the next.

/** The era that a clock is in, and what it shows in it now. */
export function eraNow(device: DeviceClock): { era: number; seen: Instant } {
  const seen = device.now()
  return { era: device.era, seen }
}

/**
 * How far the server's clock was ahead of the device's when that showed `shown`. This page learned of it in `era`, when the clock
 * showed `seen`. If that era never showed such a time, it was in an earlier one: another tab had not told this one yet.
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
