import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { type NewQueuedWrite, rowKey } from './queued-write.ts'

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

/** Whether its instants are still to be told by the server's clock. */
export function lacksTimestamp({ at, vars, guess }: NewQueuedWrite): boolean {
  return at === undefined && (guess !== undefined || deviceTimeOf(vars) !== undefined)
}

/** The variables as they are sent. */
export function sentVars({ at, vars }: NewQueuedWrite): unknown {
  return at === undefined || typeof vars !== 'object' ? vars : { ...vars, at: instantToWire(at) }
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
    const before = latest ?? Number.NEGATIVE_INFINITY
    const swaps = write.at <= before && before - write.at < minGap
    latest = swaps ? before + 1 : write.at
    return { ...write, at: latest }
  })
  return { writes: stamped, last: latest }
}

/** What is known now of writes that were made without knowing the server's time. */
export interface KnownTime<Made> {
  /** How far the server's clock was ahead when it was made. */
  aheadOf(write: Made): number
  /** The variables of a write that holds instants by the server's clock, as those are now. */
  moved(write: Made, move: (at: Instant) => Instant): unknown
}

/**
 * The waiting writes, in order, with timestamps added to those made before the server's time was known. `last` is the
 * latest timestamp given out: writes without one are known to come after it only if no waiting write has one. None comes before an
 * earlier one of its row.
 */
export function addLateTimestamps<Made extends NewQueuedWrite>(
  last: Instant | undefined,
  waiting: readonly Made[],
  { aheadOf, moved }: KnownTime<Made>,
): { writes: Made[]; last: Instant | undefined } {
  const before = waiting.some(({ at }) => at !== undefined) ? undefined : last
  const lastOfRow = new Map<string, Instant>()
  const dated = waiting.map((write) => {
    if (!lacksTimestamp(write)) return write
    const ahead = aheadOf(write)
    const { after, guess = { ahead, since: 0 }, vars } = write
    const made = deviceTimeOf(vars)
    const known = { ...write, after: undefined, guess: undefined }
    if (made === undefined) return { ...known, vars: moved(write, moving(ahead - guess.ahead, guess.since)) }
    const at = Math.max(toServerTime(made, ahead, after), (lastOfRow.get(rowKey(write)) ?? -1) + 1)
    lastOfRow.set(rowKey(write), at)
    return { ...known, at }
  })
  return timestampsInOrder(before, dated)
}

/**
 * Where instants stand if the server's clock was not ahead by as much as was guessed `since` then. There was no time between then
 * and the moment before.
 */
function moving(by: number, since: Instant): (at: Instant) => Instant {
  return (at) => (at >= since ? at + by : Math.min(at, since + Math.min(by, 0)))
}
