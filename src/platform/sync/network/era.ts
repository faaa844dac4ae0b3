import type { DeviceClock } from '#platform/browser/clock/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { ServerClock } from './server-clock.ts'

// An era of a device's clock is the time between two clock shifts, such as when the clock is set. The same reading can mean
// different times in different eras.

/** The clock's current era and its current reading. */
export function eraNow(device: DeviceClock): { era: number; seen: Instant } {
  const seen = device.now()
  return { era: device.era, seen }
}

/**
 * How far the server's clock was ahead when the device's clock showed `shown`, in milliseconds. This page noted `shown` in `era`,
 * when the clock showed `seen`. If the clock never showed `shown` in that era, the time is from an earlier era: another tab was
 * late to pass it on.
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
