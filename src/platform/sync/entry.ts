import type { Instant } from '#platform/calendar/day.ts'
import { randomId } from './random-id.ts'

/** A write on its way to the device: everything that another start of the app needs to send it or to tell of it. */
export interface NewEntry {
  /** Made by the tab that queued it; a seq is only known once the device has it. */
  id: string
  account: string
  list: string
  write: string
  version: number
  vars: unknown
  subject: string
  // Its words are kept with it: a build that no longer knows the write must still be able to tell what was lost.
  refusal: string
  text: string
  /** The text is what somebody typed, and is nowhere else once the write is out. Builds before kept none. */
  typed?: boolean | undefined
  /** When it was made by the server's clock: undefined until that is known, and for a write that does not say when. */
  at?: Instant | undefined
}

/** A write as somebody asks for it. */
export type NewWrite = Omit<NewEntry, 'id' | 'account'>

export function newEntry(account: string, write: NewWrite): NewEntry {
  return { ...write, id: randomId(), account }
}

/** A write that the device keeps. */
export interface Entry extends NewEntry {
  /** Its place in the account's order. */
  seq: number
  /** When the server said yes, on the account's own clock; until then it waits to be sent. */
  acknowledged?: number
}

/** A write that could not be made, told until the person dismisses it. */
export interface Notice {
  account: string
  /** Below zero when only this tab knows of it. */
  id: number
  title: string
  reason: string
  /** What would be lost: the texts of the write and of those that went with it. */
  texts: string[]
  /** Somebody typed one of them. Builds before kept none. */
  typed?: boolean | undefined
  /** What 'Try again' queues anew; empty where trying again cannot help. */
  again: NewEntry[]
  /** The write is not lost but cannot be sent by this build; the person may discard it. */
  held?: Entry
  /** Of which it was a change. Builds before kept none. */
  row?: RowName
}

/** Names a row of a list. */
export type RowName = Pick<NewEntry, 'list' | 'subject'>

/** The last answer of a list, as the server gave it: parsed anew at each start, since the build may be another by then. */
export interface KeptList {
  account: string
  list: string
  answer: unknown
  /** When the read of it started, on the account's own clock. */
  tick: number
}

export function isOfSameRow(one: RowName, other: RowName): boolean {
  return one.list === other.list && one.subject === other.subject
}

/** The same for all writes of one row, and for no other. */
export function rowOf({ list, subject }: NewEntry): string {
  return JSON.stringify([list, subject])
}

/** A write and those that build on it: the later ones on the same row that were not acknowledged. */
export function withFollowers(entries: readonly Entry[], entry: Entry): Entry[] {
  return entries.filter(
    (other) => other.seq >= entry.seq && other.acknowledged === undefined && isOfSameRow(other, entry),
  )
}

/** The acknowledged writes that a read of their list, started at `tick`, has seen the effect of. */
export function seenBy(entries: readonly Entry[], list: string, tick: number): Entry[] {
  return entries.filter(
    (entry) => entry.list === list && entry.acknowledged !== undefined && entry.acknowledged < tick,
  )
}

/** The notice for writes that were taken out, the first of them being the one that could not be made. */
export function noticeOf(
  taken: readonly NewEntry[],
  reason: string,
  retriable: boolean,
): Omit<Notice, 'id'> | undefined {
  const [first] = taken
  if (!first) return undefined
  return {
    account: first.account,
    title: first.refusal,
    reason,
    texts: [...new Set(taken.map((entry) => entry.text))],
    typed: taken.some(({ typed }) => typed),
    again: retriable ? taken.map(unplaced) : [],
    row: { list: first.list, subject: first.subject },
  }
}

function unplaced({
  id,
  account,
  list,
  write,
  version,
  vars,
  subject,
  refusal,
  text,
  typed,
  at,
}: NewEntry): NewEntry {
  return { id, account, list, write, version, vars, subject, refusal, text, typed, at }
}
