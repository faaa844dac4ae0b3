import type { Instant } from '#platform/calendar/day.ts'
import type { NewQueuedWrite } from './queued-write.ts'

// When a change was made. A write's variables hold the instant by this device's clock; requests hold it by the server's.

/**
 * Milliseconds by which two estimates of the server's time may differ. Changes of one device whose timestamps differ by less are
 * kept in the order in which they were made.
 */
const minGap = 5_000

/** The instant of a change by this device's clock; undefined for a write without one. */
export function deviceTimeOf(vars: unknown): Instant | undefined {
  if (typeof vars !== 'object' || vars === null || !('at' in vars) || typeof vars.at !== 'string') {
    return undefined
  }
  const at = Date.parse(vars.at)
  return Number.isNaN(at) ? undefined : at
}

/**
 * The instant of a change by the server's clock, which is `ahead` milliseconds ahead of this device's. Never earlier than
 * `after`, the latest instant that the person had already seen: an earlier result means that the device's clock was set
 * unnoticed.
 */
export function toServerTime(deviceTime: Instant, ahead: number, after: Instant | undefined): Instant {
  return Math.max(deviceTime + ahead, after ?? Number.NEGATIVE_INFINITY)
}

/** Gives a device's changes timestamps that keep the order in which they were made. `last`: the last timestamp given out. */
export function timestampsInOrder<Made extends NewQueuedWrite>(
  last: Instant | undefined,
  writes: readonly Made[],
): { writes: Made[]; last: Instant | undefined } {
  let latest = last
  const stamped = writes.map((write) => {
    if (write.at === undefined) return write
    if (write.takesBack) {
      // An undo or redo comes right after the writes it takes back, whatever happened since; the next change comes after both.
      if (latest === undefined || (write.at > latest && write.at - latest < minGap)) latest = write.at
      return write
    }
    const before = latest ?? Number.NEGATIVE_INFINITY
    const swaps = write.at <= before && before - write.at < minGap
    latest = swaps ? before + 1 : write.at
    return { ...write, at: latest }
  })
  return { writes: stamped, last: latest }
}
