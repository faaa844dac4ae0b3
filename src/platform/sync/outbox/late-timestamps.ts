import type { Instant } from '#platform/calendar/day.ts'
import { deviceTimeOf, timestampsInOrder, toServerTime } from '../local-store/change-timestamp.ts'
import { type NewQueuedWrite, rowKey } from '../local-store/queued-write.ts'

// Changes that were made without knowing the server's time get their instants once that is known, before they are sent.

/** What is known now of writes that were made without knowing the server's time. */
export interface KnownTime<Made> {
  /** How far the server's clock was ahead when it was made. */
  aheadOf(write: Made): number
  /** The variables of a write that holds instants by the server's clock, as those are now. */
  moved(write: Made, move: (at: Instant) => Instant): unknown
}

/**
 * The waiting writes, in order, with timestamps added to those made before the server's time was known: to how many. `last` is the
 * latest timestamp given out: writes without one are known to come after it only if no waiting write has one. None comes before an
 * earlier one of its row.
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
      // Right after what it takes back. If that was sent and forgotten meanwhile, the time of this write itself has to do.
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
 * Where instants stand if the server's clock was not ahead by as much as was guessed `since` then. There was no time between then
 * and the moment before.
 */
function moving(by: number, since: Instant): (at: Instant) => Instant {
  return (at) => (at >= since ? at + by : Math.min(at, since + Math.min(by, 0)))
}

/** Whether its instants are still to be told by the server's clock. */
export function lacksTimestamp({ at, vars, guess }: NewQueuedWrite): boolean {
  return at === undefined && (guess !== undefined || deviceTimeOf(vars) !== undefined)
}
