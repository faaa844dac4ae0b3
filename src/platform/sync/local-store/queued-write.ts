import type { Instant } from '#platform/calendar/day.ts'
import { randomId } from './random-id.ts'

/**
 * A write on its way into the local store, with everything that a later start of the app needs to send or report it. Browsers
 * have stored these property names, so they must not change: `list` is the name of the collection, `write` the name of the
 * declared write.
 */
export interface NewQueuedWrite {
  /** Made by the tab that queued the write, because a `seq` is only known once the write is stored. */
  id: string
  account: string
  list: string
  write: string
  version: number
  vars: unknown
  subject: string
  // The texts are stored too: a build that no longer knows the write must still be able to say what was lost.
  refusal: string
  text: string
  /** The person typed the text, and it exists nowhere else once the write is removed. */
  typed?: boolean | undefined
  /** When the change was made, by the server's clock. Undefined until that is known, and for a write without an instant. */
  at?: Instant | undefined
  /** Only while `at` is undefined: the instant that the change must not precede, by the server's clock. */
  after?: Instant | undefined
  /**
   * Set only until a response tells the server's time. `ahead`: the guessed offset of the server's clock in milliseconds.
   * `since`: the instant from which that guess is doubtful. All guesses of one `page` are off by the same amount.
   */
  guess?: { ahead: number; since: Instant; page: string } | undefined
  /** Set on an undo or redo. Any change made after the reverted writes wins over it. */
  takesBack?: TakesBack | undefined
}

export interface TakesBack {
  by: 'undo' | 'redo'
  /** The ids of the reverted writes that have no timestamp yet. While `at` is undefined, this write comes just after them. */
  follows: readonly string[]
}

/** A write before it gets its id and account. */
export type WriteDescription = Omit<NewQueuedWrite, 'id' | 'account'>

export function newQueuedWrite(account: string, write: WriteDescription): NewQueuedWrite {
  return { ...write, id: randomId(), account }
}

/** A write in the local store. */
export interface QueuedWrite extends NewQueuedWrite {
  /** The write's place among the account's writes, which are numbered in the order in which they were stored. */
  seq: number
  /** The tick of the account's clock at which the server accepted the write; undefined while the write waits to be sent. */
  acknowledged?: number
}

/** The writes that the server has not accepted yet. */
export function unsentOf(writes: readonly QueuedWrite[]): QueuedWrite[] {
  return writes.filter(({ acknowledged }) => acknowledged === undefined)
}

/** A write that could not be made, reported until the person dismisses it. Browsers have stored these property names too. */
export interface FailedWrite {
  account: string
  /** Negative if only this tab knows of the failed write. */
  id: number
  title: string
  reason: string
  /** The texts that would be lost: that of the write, and those of the writes dropped with it. */
  texts: string[]
  /** Whether the person typed any of the texts. */
  typed?: boolean | undefined
  /** The writes that the button of the toast ('Try again', 'Bring back') queues again; empty if trying again cannot help. */
  again: NewQueuedWrite[]
  /** Set if the write is still queued because this build cannot send it. The person may discard it. */
  held?: QueuedWrite
  /** The row that the write would have changed. */
  row?: RowRef
  /**
   * Set if another device deleted the row, `later` or `earlier` than the write was made. After an `earlier` deletion, retrying
   * the write brings the row back.
   */
  gone?: 'later' | 'earlier' | undefined
  /** The fields in which a later change won, by their wire names. */
  late?: readonly string[] | undefined
  /** Set if the write was an undo or redo. */
  takesBack?: TakesBack['by'] | undefined
}

/** Why a write failed. */
export interface WriteFailure {
  reason: string
  retriable: boolean
  gone?: FailedWrite['gone']
  late?: FailedWrite['late']
  /** The `seq` of the last write to the row that is lost too. If left out, all later writes to the row are lost. */
  last?: number
}

/** Identifies a row of a collection. */
export type RowRef = Pick<NewQueuedWrite, 'list' | 'subject'>

/**
 * The latest response of a collection as the server sent it. It is parsed at each start of the app, because an earlier build may
 * have stored it.
 */
export interface StoredResponse {
  account: string
  list: string
  answer: unknown
  /** The store's `tick`, which counts its changes, when the read started. */
  tick: number
  /** The ETag of the state that it shows, without the `W/` of a weak one. The previous version stored none. */
  tag?: string | undefined
}

/** A response with only what has changed since another, which is stored on its own behind that one. */
export interface StoredChange extends StoredResponse {
  /** The collection. `list` also has its place among the collection's changes, because it is the key in the store. */
  of: string
  /** The tag of the state that it changes. It says nothing about any other state. */
  since: string | undefined
}

/** What a tab may take over of a collection. `tick` and `tag` are those of the last read. */
export interface NewerResponse extends Omit<StoredResponse, 'answer'> {
  /** Undefined if the tab has the rows at the tag in `since`. */
  answer?: unknown
  /** The tag of the state that `changes` begin with. */
  since?: string | undefined
  /** What has changed since, in order. */
  changes?: readonly StoredChange[]
}

export function isOfSameRow(one: RowRef, other: RowRef): boolean {
  return one.list === other.list && one.subject === other.subject
}

/** A key shared by all writes of one row and no others. */
export function rowKey({ list, subject }: NewQueuedWrite): string {
  return JSON.stringify([list, subject])
}

/** A write and the writes that build on it: the later, unacknowledged writes to the same row, up to `last` (a `seq`). */
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

/** The acknowledged writes that are included in a read of their collection that started at `tick`. */
export function seenBy(writes: readonly QueuedWrite[], collection: string, tick: number): QueuedWrite[] {
  return writes.filter(
    (write) => write.list === collection && write.acknowledged !== undefined && write.acknowledged < tick,
  )
}

/** Describes removed writes as failed. The first of them is the one that could not be made. */
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
    // The failure is reported as that of an undo or redo only if every removed write was one.
    ...(removed.every(({ takesBack }) => takesBack) && { takesBack: first.takesBack?.by }),
    row: { list: first.list, subject: first.subject },
  }
}

/** The write without the properties that the store gave it, so that it can be queued again. */
function withoutSeq({
  seq: _,
  acknowledged: __,
  ...write
}: NewQueuedWrite & Partial<QueuedWrite>): NewQueuedWrite {
  return write
}
