import type { Instant } from '#platform/calendar/day.ts'
import { deviceTimeOf, timestampsInOrder, toServerTime } from './change-timestamp.ts'
import { type NewQueuedWrite, rowKey } from './queued-write.ts'

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
  const before = waiting.some(({ at }) => at !== undefined) ? undefined : last
  const lastOfRow = new Map<string, Instant>()
  const dated = waiting.map((write) => {
    if (!lacksTimestamp(write) || write.takesBack) return write
    const ahead = aheadOf(write)
    const { after, guess = { ahead, since: 0 }, vars } = write
    const made = deviceTimeOf(vars)
    const known = { ...write, after: undefined, guess: undefined }
    if (made === undefined) return { ...known, vars: moved(write, moving(ahead - guess.ahead, guess.since)) }
    const at = Math.max(toServerTime(made, ahead, after), (lastOfRow.get(rowKey(write)) ?? -1) + 1)
    lastOfRow.set(rowKey(write), at)
    return { ...known, at }
  })
  const inOrder = timestampsInOrder(before, dated)
  const writes = takingBackInOrder(inOrder.writes, aheadOf)
  const takenBack = writes.filter(({ takesBack }) => takesBack)
  const { last: latest } = timestampsInOrder(inOrder.last, takenBack)
  return { added: waiting.filter(lacksTimestamp).length, writes, last: latest }
}

/** Each that takes something back right after what it takes back: one that was sent and forgotten since, as far as it was known. */
function takingBackInOrder<Made extends NewQueuedWrite>(
  writes: readonly Made[],
  aheadOf: KnownTime<Made>['aheadOf'],
): Made[] {
  const known = new Map(writes.flatMap(({ id, at }) => (at === undefined ? [] : [[id, at] as const])))
  return writes.map((write) => {
    const { takesBack, after } = write
    const made = deviceTimeOf(write.vars)
    if (!takesBack || made === undefined || !lacksTimestamp(write)) return write
    const followed = takesBack.follows.flatMap((id) => known.get(id) ?? [])
    const isKnown = followed.length === takesBack.follows.length
    const guessed = isKnown ? [] : [toServerTime(made, aheadOf(write), undefined)]
    const at = Math.max(...followed.map((each) => each + 1), ...guessed, after ?? 0)
    known.set(write.id, at)
    return { ...write, at, after: undefined, guess: undefined }
  })
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
