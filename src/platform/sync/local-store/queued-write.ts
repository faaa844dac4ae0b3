import type { Instant } from '#platform/calendar/day.ts'
import { randomId } from './random-id.ts'

/**
 * A write on its way into the local store: everything that a later start of the app needs to send it or to report it.
 * Browsers have these property names stored, so they stay: `list` is the collection's name, `write` the declared write's.
 */
export interface NewQueuedWrite {
  /** Made by the tab that queued it; a `seq` is only known once it is stored. */
  id: string
  account: string
  list: string
  write: string
  version: number
  vars: unknown
  subject: string
  // The texts are stored with it: a build that no longer knows the write must still be able to say what was lost.
  refusal: string
  text: string
  /** The person typed the text, and it is nowhere else once the write is removed. */
  typed?: boolean | undefined
  /** When it was made, by the server's clock: undefined until that is known, and for a write without an instant. */
  at?: Instant | undefined
  /** As long as `at` is undefined: what it comes after, by the server's clock. */
  after?: Instant | undefined
  /**
   * As long as only a response can tell the server's time: how far its clock was guessed to be ahead, and from which instant on, by
   * that guess, it is doubtful. One page's guesses are off by as much.
   */
  guess?: { ahead: number; since: Instant; page: string } | undefined
  /** Of one that undoes or redoes others: it is weaker than what anybody did after those. */
  takesBack?: TakesBack | undefined
}

export interface TakesBack {
  by: 'undo' | 'redo'
  /** The ids of those whose instants are still to be known; as long as `at` is undefined, it comes just after them. */
  follows: readonly string[]
}

/** A write as it is requested. */
export type WriteDescription = Omit<NewQueuedWrite, 'id' | 'account'>

export function newQueuedWrite(account: string, write: WriteDescription): NewQueuedWrite {
  return { ...write, id: randomId(), account }
}

/** A write in the local store. */
export interface QueuedWrite extends NewQueuedWrite {
  /** Its place in the account's order. */
  seq: number
  /** The tick at which the server accepted it; until then it waits to be sent. */
  acknowledged?: number
}

/** Those that the server has not accepted yet. */
export function unsentOf(writes: readonly QueuedWrite[]): QueuedWrite[] {
  return writes.filter(({ acknowledged }) => acknowledged === undefined)
}

/** A write that could not be made, reported until the person dismisses it. Its property names are stored, too. */
export interface FailedWrite {
  account: string
  /** Below zero if only this tab knows of it. */
  id: number
  title: string
  reason: string
  /** What would be lost: the texts of the write and of those dropped with it. */
  texts: string[]
  /** The person typed one of the texts. */
  typed?: boolean | undefined
  /** What 'Try again', or 'Restore' of a row that is gone, queues again; empty if trying again cannot help. */
  again: NewQueuedWrite[]
  /** The write is not lost, but this build cannot send it; the person may discard it. */
  held?: QueuedWrite
  /** The row that it would have changed. */
  row?: RowRef
  /** That row was deleted on another device, `later` than the write was made or `earlier`. A write made after it brings the row back. */
  gone?: 'later' | 'earlier' | undefined
  /** What of the row stays as a later change made it, by its names on the wire. */
  late?: readonly string[] | undefined
  /** It would have undone or redone something. */
  takesBack?: TakesBack['by'] | undefined
}

/** Why a write failed. */
export interface WriteFailure {
  reason: string
  retriable: boolean
  gone?: FailedWrite['gone']
  late?: FailedWrite['late']
  /** The `seq` of the last that is lost with it; none: all that follow it. */
  last?: number
}

/** Identifies a row of a collection. */
export type RowRef = Pick<NewQueuedWrite, 'list' | 'subject'>

/** The latest response of a collection as the server sent it: parsed at each start, since the build may be another by then. */
export interface StoredResponse {
  account: string
  list: string
  answer: unknown
  /** The tick at which its read started. */
  tick: number
}

export function isOfSameRow(one: RowRef, other: RowRef): boolean {
  return one.list === other.list && one.subject === other.subject
}

/** A key shared by all writes of one row and no others. */
export function rowKey({ list, subject }: NewQueuedWrite): string {
  return JSON.stringify([list, subject])
}

/** A write and those that build on it: the later, unacknowledged ones on the same row, up to `last` (a `seq`). */
export function withFollowers(
  writes: readonly QueuedWrite[],
  write: QueuedWrite,
  last = Number.POSITIVE_INFINITY,
): QueuedWrite[] {
  return writes.filter(
    ({ seq, acknowledged, ...row }) =>
      seq >= write.seq && seq <= last && acknowledged === undefined && isOfSameRow(row, write),
  )
}

/** The acknowledged writes that a read of their collection, started at `tick`, includes. */
export function seenBy(writes: readonly QueuedWrite[], collection: string, tick: number): QueuedWrite[] {
  return writes.filter(
    (write) => write.list === collection && write.acknowledged !== undefined && write.acknowledged < tick,
  )
}

/** Describes removed writes as failed; the first of them is the one that could not be made. */
export function failedWriteOf(
  removed: readonly NewQueuedWrite[],
  { reason, retriable, gone, late }: WriteFailure,
): Omit<FailedWrite, 'id'> | undefined {
  const [first] = removed
  if (!first) return undefined
  return {
    account: first.account,
    title: first.refusal,
    reason,
    texts: [...new Set(removed.map((write) => write.text))],
    typed: removed.some(({ typed }) => typed),
    again: retriable || gone || late ? removed.map(withoutSeq) : [],
    ...(gone && { gone }),
    ...(late && { late }),
    // What else was done to the row since is no undo.
    ...(removed.every(({ takesBack }) => takesBack) && { takesBack: first.takesBack?.by }),
    row: { list: first.list, subject: first.subject },
  }
}

/** As it is queued anew. */
function withoutSeq({
  seq: _,
  acknowledged: __,
  ...write
}: NewQueuedWrite & Partial<QueuedWrite>): NewQueuedWrite {
  return write
}
