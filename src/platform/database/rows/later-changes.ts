import { AsyncLocalStorage } from 'node:async_hooks'
import type { Instant } from '#platform/calendar/day.ts'
import { neverRestored } from './deletion.ts'

// A write can meet what was changed later than it was made. Its caller needs to know two things of that: what therefore stays as
// it is, to tell the person, and whether that later instant is ahead of the server's time (`http/later-writes.ts`).

interface Meeting {
  /** Whether the write must not go on as if this instant of a change were right: it then ends with WrittenAhead. */
  isAhead(stored: Instant): boolean
  /** How late the write may count as made, where that is later than the server's time. */
  upTo?: Instant | undefined
}

/** Ends a write, so that nothing of it is stored: it met a change whose instant is ahead of the server's time. */
export class WrittenAhead extends Error {
  override name = 'WrittenAhead'
  readonly instant: Instant

  constructor(instant: Instant) {
    super('Changed at an instant that is ahead of the time here')
    this.instant = instant
  }
}

const running = new AsyncLocalStorage<Meeting & { kept: Set<string> }>()

/** Runs a write. `kept`: what stays as it is although the write wanted it otherwise, by its names on the wire. */
export async function meetingLaterChanges<Result>(
  meeting: Meeting,
  write: () => Promise<Result>,
): Promise<{ result: Result; kept: ReadonlySet<string> }> {
  const kept = new Set<string>()
  return { result: await running.run({ ...meeting, kept }, write), kept }
}

/** Whether what is stored was changed since a write was made, which was `at`. */
export function changedSince(stored: Instant, at: Instant): boolean {
  if (stored <= at) return false
  if (stored !== neverRestored && running.getStore()?.isAhead(stored)) throw new WrittenAhead(stored)
  return true
}

/** The write leaves this as it is, because it was changed since, and to something else than the write wanted. */
export function keepAsItIs(part: string): void {
  running.getStore()?.kept.add(part)
}

/** How late the write that is being made may count as made; undefined: by the server's time alone. */
export function latestInstant(): Instant | undefined {
  return running.getStore()?.upTo
}
