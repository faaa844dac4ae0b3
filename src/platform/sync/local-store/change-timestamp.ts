import type { Instant } from '#platform/calendar/day.ts'
import type { NewQueuedWrite } from './queued-write.ts'

// When a change was made. The variables of a write hold it by this device's clock; what is sent holds it by the server's.

/** Two estimates of the server's time may differ by this much. Timestamps of one device closer than this are kept in order. */
const minGap = 5_000

/** By this device's clock; undefined for a write without an instant. */
export function deviceTimeOf(vars: unknown): Instant | undefined {
  if (typeof vars !== 'object' || vars === null || !('at' in vars) || typeof vars.at !== 'string') {
    return undefined
  }
  const at = Date.parse(vars.at)
  return Number.isNaN(at) ? undefined : at
}

/**
 * When a change was made by the server's clock, which is `ahead` of this device's. Never before `after`, which its person had seen
 * already: then the clock was set without anybody noticing.
 */
export function toServerTime(deviceTime: Instant, ahead: number, after: Instant | undefined): Instant {
  return Math.max(deviceTime + ahead, after ?? Number.NEGATIVE_INFINITY)
}

/** The changes of a device with timestamps that follow the last one given out, in the order in which they were made. */
export function timestampsInOrder<Made extends NewQueuedWrite>(
  last: Instant | undefined,
  writes: readonly Made[],
): { writes: Made[]; last: Instant | undefined } {
  let latest = last
  const stamped = writes.map((write) => {
    if (write.at === undefined) return write
    if (write.takesBack) {
      // It comes right after what it takes back, whatever was done since; what is done next comes after both.
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
