import { AsyncLocalStorage } from 'node:async_hooks'
import type { Instant } from '#platform/calendar/day.ts'
import { neverRestored } from './deletion.ts'

// A write can find that a value was changed at a later instant than its own, and then leaves the value as it is. The caller needs
// to know which values stay, to tell the person, and whether the later instant lies in the server's future
// (`http/row-calls/later-writes.ts`).

interface Meeting {
  /** Whether the instant of a stored change must not be trusted. The write then ends with WrittenAhead. */
  isAhead(stored: Instant): boolean
  /** The latest instant that the write may get, if that is later than the server's time. */
  upTo?: Instant | undefined
}

/** Ends a write without storing anything: the write met a change that is dated in the server's future. */
export class WrittenAhead extends Error {
  override name = 'WrittenAhead'
  readonly instant: Instant

  constructor(instant: Instant) {
    super('Changed at an instant that is ahead of the time here')
    this.instant = instant
  }
}

const running = new AsyncLocalStorage<Meeting & { kept: Set<string> }>()

/** Runs a write. `kept`: the wire names of the parts that stay as they are, although the write wanted to change them. */
export async function meetingLaterChanges<Result>(
  meeting: Meeting,
  write: () => Promise<Result>,
): Promise<{ result: Result; kept: ReadonlySet<string> }> {
  const kept = new Set<string>()
  return { result: await running.run({ ...meeting, kept }, write), kept }
}

/** Whether a stored change was made after a write that was made `at`. Throws WrittenAhead if its instant must not be trusted. */
export function changedSince(stored: Instant, at: Instant): boolean {
  if (stored <= at) return false
  if (stored !== neverRestored && running.getStore()?.isAhead(stored)) throw new WrittenAhead(stored)
  return true
}

/** Records that the write leaves a part as it is, because a later change gave it another value than the write wanted. */
export function keepAsItIs(part: string): void {
  running.getStore()?.kept.add(part)
}

/** The latest instant that the current write may get; undefined if only the server's time limits it. */
export function latestInstant(): Instant | undefined {
  return running.getStore()?.upTo
}
