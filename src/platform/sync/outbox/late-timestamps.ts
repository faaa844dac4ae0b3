import type { Instant } from '#platform/calendar/day.ts'
import { deviceTimeOf, timestampsInOrder, toServerTime } from '../local-store/change-timestamp.ts'
import { type NewQueuedWrite, rowKey } from '../local-store/queued-write.ts'

// A change made while the server's time was not known gets its timestamp once the time is known, before the change is sent.

/** What is now known about writes that were made without knowing the server's time. */
export interface KnownTime<Made> {
  /** How far the server's clock was ahead when the write was made, in milliseconds. */
  aheadOf(write: Made): number
  /** The variables of a write, in which `move` has corrected the instants that are by the server's clock. */
  moved(write: Made, move: (at: Instant) => Instant): unknown
}

/**
 * Adds timestamps to the waiting writes that were made before the server's time was known. Returns all waiting writes in order,
 * and how many timestamps were `added`. `last`: the latest timestamp given out. It is ignored if a waiting write has a timestamp,
 * because it may then belong to a later write. No write gets an earlier timestamp than an earlier write of its row.
 */
export function addLateTimestamps<Made extends NewQueuedWrite>(
  last: Instant | undefined,
  waiting: readonly Made[],
  { aheadOf, moved }: KnownTime<Made>,
): { added: number; writes: Made[]; last: Instant | undefined } {
  let latest = waiting.some(({ at }) => at !== undefined) ? undefined : last
  const known = new Map<string, Instant>()
  const lastOfRow = new Map<string, Instant>()
  const writes = waiting.map((write) => {
    const dated = withTimestamp(write)
    const inOrder = timestampsInOrder(latest, [dated])
    const [stamped = dated] = inOrder.writes
    latest = inOrder.last
    if (stamped.at !== undefined) known.set(stamped.id, stamped.at)
    return stamped
  })
  return { added: waiting.filter(lacksTimestamp).length, writes, last: latest }

  function withTimestamp(write: Made): Made {
    if (!lacksTimestamp(write)) return write
    const ahead = aheadOf(write)
    const { after, guess = { ahead, since: 0 }, vars, takesBack } = write
    const made = deviceTimeOf(vars)
    const undoubted = { ...write, after: undefined, guess: undefined }
    if (made === undefined) {
      return { ...undoubted, vars: moved(write, moving(ahead - guess.ahead, guess.since)) }
    }
    if (takesBack) {
      // An undo or redo comes right after the writes it takes back. If those writes were sent and forgotten meanwhile, it gets
      // the time at which it was made.
      const followed = takesBack.follows.flatMap((id) => known.get(id) ?? [])
      const isKnown = followed.length === takesBack.follows.length
      const guessed = isKnown ? [] : [toServerTime(made, ahead, undefined)]
      const at = Math.max(...followed.map((each) => each + 1), ...guessed, after ?? 0)
      return { ...undoubted, at }
    }
    const at = Math.max(toServerTime(made, ahead, after), (lastOfRow.get(rowKey(write)) ?? -1) + 1)
    lastOfRow.set(rowKey(write), at)
    return { ...undoubted, at }
  }
}

/**
 * Returns a function that corrects instants if the server's clock, from `since` on, was ahead by `by` milliseconds more than
 * guessed. Earlier instants stay, unless they would then be later than the corrected `since`.
 */
function moving(by: number, since: Instant): (at: Instant) => Instant {
  return (at) => (at >= since ? at + by : Math.min(at, since + Math.min(by, 0)))
}

/** Whether the write's instants still have to be converted to the server's clock. */
export function lacksTimestamp({ at, vars, guess }: NewQueuedWrite): boolean {
  return at === undefined && (guess !== undefined || deviceTimeOf(vars) !== undefined)
}
