import type { Instant } from '#platform/calendar/day.ts'
import type { FailedWrite, NewerResponse, NewQueuedWrite, QueuedWrite, WriteFailure } from './queued-write.ts'

/** Everything stored about an account, as of one moment. */
export interface LocalState {
  writes: QueuedWrite[]
  failedWrites: FailedWrite[]
  /** Only the responses that are newer than those the caller has. */
  responses: NewerResponse[]
  /** The device values, by name. */
  values: ReadonlyMap<string, unknown>
}

/** The new value and the writes that belong to it. */
export interface StoredValueChange {
  value: unknown
  writes: readonly NewQueuedWrite[]
}

/** What a tab remembers of an account after the browser cleared the account's storage. */
export interface TabState {
  writes: readonly QueuedWrite[]
  failedWrites: readonly FailedWrite[]
  values: ReadonlyMap<string, unknown>
  /** For each collection, the start of the tab's latest read in ticks of the account's clock (see `LocalStore`). */
  reads: ReadonlyMap<string, number>
}

/**
 * Stores this browser's queued writes and the latest response of each collection. Each call is one transaction.
 * Every account has a logical clock that ticks with each added write, acknowledgement and start of a read. It orders them across
 * tabs, which the time of day could not. An account also has an incarnation, which ends when the account is wiped: a call for an
 * ended incarnation does nothing and returns undefined, so that a slow tab cannot bring back what was erased. (In IndexedDB the
 * incarnation is stored as `life`, queued writes as `entries`, failed writes as `notices`.)
 * A method rejects if the store fails.
 */
export interface LocalStore {
  /** False if the store is only in memory and gone with the tab. */
  readonly durable: boolean
  /** Resolves when a newer build in another tab has upgraded the store: this tab can no longer use it. */
  readonly outdated: Promise<void>
  /** Calls the listener when the browser has closed the store, perhaps after deleting its contents. */
  onClosed(listener: () => void): void
  /** Reads the account's state. Starts an incarnation if the account has none. */
  open(account: string): Promise<LocalState & { incarnation: string }>
  /** How many writes the server has not accepted, failed ones included. Stores nothing for an unknown account. */
  countUnsent(account: string): Promise<number>
  /**
   * Call it when an incarnation is no longer in the store. Returns undefined if the account was wiped. Otherwise the browser
   * cleared the store: the tab's state is restored, once only, however many tabs remember it. Returns the incarnation that
   * continues and how many of the tab's unsent writes are in it.
   */
  revive(
    account: string,
    incarnation: string,
    remembered: TabState,
  ): Promise<(LocalState & { incarnation: string; unsent: number }) | undefined>
  /**
   * Reads the account's state. `since`: for each collection, the tick of the read that the caller has. `tags`: the tag of the rows
   * that the caller has, if known: of what was stored since, it then gets only the changes.
   */
  reread(
    account: string,
    incarnation: string,
    since: ReadonlyMap<string, number>,
    tags?: ReadonlyMap<string, string | undefined>,
  ): Promise<LocalState | undefined>
  /** Adds writes. They are on disk when the promise resolves. `retried`: the id of the failed write that these writes retry. */
  add(
    account: string,
    incarnation: string,
    writes: readonly NewQueuedWrite[],
    retried?: number,
  ): Promise<QueuedWrite[] | undefined>
  /**
   * Changes a device value, starting from what is stored at that moment, whatever other tabs did before. The value and the writes
   * are on disk when it resolves. `step` gets the latest response of `collection`, unless that response does not yet include
   * every stored write.
   */
  changeValue(
    account: string,
    incarnation: string,
    name: string,
    step: (stored: unknown, response: unknown) => StoredValueChange,
    collection?: string,
  ): Promise<{ value: unknown; added: QueuedWrite[] } | undefined>
  /**
   * Adds the missing change timestamps once the server clock's offset is known. `stamp` gets the latest timestamp given out.
   * Returns how many timestamps were added.
   */
  addTimestamps(
    account: string,
    incarnation: string,
    stamp: (
      last: Instant | undefined,
      waiting: readonly QueuedWrite[],
    ) => { added: number; writes: QueuedWrite[]; last: Instant | undefined },
  ): Promise<number | undefined>
  /** Marks writes as accepted by the server. Returns the tick at which that happened. */
  acknowledge(account: string, incarnation: string, seqs: readonly number[]): Promise<number | undefined>
  /** Removes a write and the later writes that build on it. Reports them as a failed write unless `failure` is undefined. */
  remove(
    account: string,
    incarnation: string,
    write: QueuedWrite,
    failure?: WriteFailure,
  ): Promise<RemovedWrites | undefined>
  /** Reports writes as a failed write, although they are not, or no longer, queued. All of them change the same row. */
  report(
    account: string,
    incarnation: string,
    writes: readonly NewQueuedWrite[],
    failure: WriteFailure,
  ): Promise<FailedWrite[] | undefined>
  /** Returns the tick of a read that is about to start. */
  startRead(account: string, incarnation: string): Promise<number | undefined>
  /** Stores a response and drops the writes it includes. Returns false if a later read is already stored. */
  storeResponse(
    account: string,
    incarnation: string,
    collection: string,
    response: unknown,
    tick: number,
    tag?: string,
  ): Promise<boolean | undefined>
  /**
   * Stores what a read found changed, and drops the writes it includes. Returns false if a later read is already stored, if what
   * is stored is in another state than the one that was changed, or if so many changes are stored that a whole response is due.
   */
  storeChange(
    account: string,
    incarnation: string,
    collection: string,
    change: ReadChange,
  ): Promise<boolean | undefined>
  dismiss(account: string, failedWriteId: number): Promise<void>
  /** Erases everything of the account and ends its incarnation. */
  wipe(account: string): Promise<void>
  /**
   * For browsers without the Web Locks API: makes the tab the leader for `role` until `until` (epoch milliseconds) unless it
   * renews. Returns false if another tab leads or the account was erased.
   */
  claimLeadership(
    account: string,
    role: LeaderRole,
    tabId: string,
    now: number,
    until: number,
  ): Promise<boolean>
}

/** When a read started, in ticks, and the ETag that it got, without the `W/` of a weak one. */
export interface ReadState {
  tick: number
  tag?: string | undefined
}

/** What a read found changed since the state with the tag `since`. */
export interface ReadChange extends ReadState {
  since: string | undefined
  /** Undefined if nothing has changed. */
  answer: object | undefined
  /** Whether an event carried it: it was read before its tick, so it may lack a write that was accepted just before. */
  isCarried?: boolean | undefined
}

/** The jobs that one tab does for all tabs of an account. */
export const leaderRoles = ['send', 'live'] as const
export type LeaderRole = (typeof leaderRoles)[number]

export interface RemovedWrites {
  removed: QueuedWrite[]
  failedWrite: FailedWrite | undefined
}
