import type { Instant } from '#platform/calendar/day.ts'
import type {
  FailedWrite,
  NewQueuedWrite,
  QueuedWrite,
  StoredResponse,
  WriteFailure,
} from './queued-write.ts'

/** Everything stored about an account, as of one moment. */
export interface LocalState {
  writes: QueuedWrite[]
  failedWrites: FailedWrite[]
  /** Only those read later than the ones the caller has. */
  responses: StoredResponse[]
  /** The device values, by name. */
  values: ReadonlyMap<string, unknown>
}

/** The new value and the writes that belong to it. */
export interface StoredValueChange {
  value: unknown
  writes: readonly NewQueuedWrite[]
}

/** What a tab still knows of an account whose store the browser has cleared. */
export interface TabState {
  writes: readonly QueuedWrite[]
  failedWrites: readonly FailedWrite[]
  values: ReadonlyMap<string, unknown>
  /** For each collection, the tick of the read that the tab has. */
  reads: ReadonlyMap<string, number>
}

/**
 * Stores this browser's queued writes and the latest response of each collection. Each call is one transaction.
 *
 * Every account has a logical clock that ticks with each added write, acknowledgement and start of a read. It orders
 * them across tabs, which the time of day could not. An account also has an incarnation, which ends when the account is
 * wiped: a call for an ended incarnation does nothing and returns undefined, so that a slow tab cannot bring back what
 * was erased. (In IndexedDB the incarnation is stored as `life`, queued writes as `entries`, failed writes as `notices`.)
 * A rejection means that the store could not do it.
 */
export interface LocalStore {
  /** False if it is only in memory and gone with the tab. */
  readonly durable: boolean
  /** Resolves when a newer build in another tab has upgraded the store: this tab can no longer use it. */
  readonly outdated: Promise<void>
  /** Calls the listener when the browser has closed the store, perhaps after deleting what was in it. */
  onClosed(listener: () => void): void
  /** Starts an incarnation if the account has none. */
  open(account: string): Promise<LocalState & { incarnation: string }>
  /** How many writes the server has not accepted, failed ones included. Leaves no trace of an account that has none. */
  countUnsent(account: string): Promise<number>
  /**
   * For an incarnation that is no longer there. Returns undefined if the account was wiped. Otherwise the browser cleared
   * the store: what the tab remembers is restored, once only, however many tabs remember it. Returns the incarnation that
   * continues and how many of the tab's unsent writes are in it.
   */
  revive(
    account: string,
    incarnation: string,
    remembered: TabState,
  ): Promise<(LocalState & { incarnation: string; unsent: number }) | undefined>
  /** `since`: for each collection, the tick of the read that the caller has. */
  reread(
    account: string,
    incarnation: string,
    since: ReadonlyMap<string, number>,
  ): Promise<LocalState | undefined>
  /** Durable on disk when it resolves. `retried`: the id of the failed write that these writes retry. */
  add(
    account: string,
    incarnation: string,
    writes: readonly NewQueuedWrite[],
    retried?: number,
  ): Promise<QueuedWrite[] | undefined>
  /**
   * Changes a device value, starting from what is stored at that moment, whatever other tabs did before. The value and
   * the writes are on disk when it resolves. `collection`: `step` gets its latest response, unless that response does not
   * yet include every stored write.
   */
  changeValue(
    account: string,
    incarnation: string,
    name: string,
    step: (stored: unknown, response: unknown) => StoredValueChange,
    collection?: string,
  ): Promise<{ value: unknown; added: QueuedWrite[] } | undefined>
  /**
   * Adds the missing change timestamps now that the server clock's offset is known. `stamp` gets the latest that was given out, and
   * returns how many it added. Returns that.
   */
  addTimestamps(
    account: string,
    incarnation: string,
    stamp: (
      last: Instant | undefined,
      waiting: readonly QueuedWrite[],
    ) => { added: number; writes: QueuedWrite[]; last: Instant | undefined },
  ): Promise<number | undefined>
  /** The server has accepted these. Returns the tick. */
  acknowledge(account: string, incarnation: string, seqs: readonly number[]): Promise<number | undefined>
  /** Removes a write and its followers, and stores a failed write unless `failure` is undefined. */
  remove(
    account: string,
    incarnation: string,
    write: QueuedWrite,
    failure?: WriteFailure,
  ): Promise<RemovedWrites | undefined>
  /** Stores a failed write of writes that are not, or no longer, queued. The first names the row of all. */
  report(
    account: string,
    incarnation: string,
    writes: readonly NewQueuedWrite[],
    failure: WriteFailure,
  ): Promise<FailedWrite[] | undefined>
  /** Returns the tick of a read that is about to start. */
  startRead(account: string, incarnation: string): Promise<number | undefined>
  /** Stores a response and drops the writes it includes. If a later read is already stored, returns that one instead. */
  storeResponse(
    account: string,
    incarnation: string,
    collection: string,
    response: unknown,
    tick: number,
  ): Promise<StoredResponse | undefined>
  dismiss(account: string, failedWriteId: number): Promise<void>
  /** Erases everything of the account and ends its incarnation. */
  wipe(account: string): Promise<void>
  /**
   * For browsers without the Web Locks API: true if the tab is the leader for `role`, until `until` (epoch milliseconds)
   * unless it renews. An erased account has no leader.
   */
  claimLeadership(
    account: string,
    role: LeaderRole,
    tabId: string,
    now: number,
    until: number,
  ): Promise<boolean>
}

/** The jobs that one tab at a time does for all tabs of an account. */
export const leaderRoles = ['send', 'live'] as const
export type LeaderRole = (typeof leaderRoles)[number]

export interface RemovedWrites {
  removed: QueuedWrite[]
  failedWrite: FailedWrite | undefined
}

/** The latest tick of the account's clock that a tab remembers. */
export function latestTick({ writes, failedWrites, reads }: TabState): number {
  return Math.max(
    0,
    ...writes.map(({ seq, acknowledged = 0 }) => Math.max(seq, acknowledged)),
    ...failedWrites.map(({ id }) => id),
    ...reads.values(),
  )
}
