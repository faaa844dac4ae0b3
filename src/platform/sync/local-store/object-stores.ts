import type { DBSchema } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import type { FailedWrite, QueuedWrite, StoredChange, StoredResponse } from './queued-write.ts'

// Browsers have stored data under these names, so they must not change. `entries` are queued writes, `lists` responses, `notices`
// failed writes, `values` device values, `turns` leases, and an account's `life` is its incarnation.
export interface Schema extends DBSchema {
  accounts: { key: string; value: Account }
  entries: { key: [account: string, seq: number]; value: QueuedWrite }
  lists: { key: [account: string, list: string]; value: StoredResponse | StoredChange }
  notices: { key: [account: string, id: number]; value: FailedWrite }
  values: { key: [account: string, name: string]; value: { account: string; name: string; value: unknown } }
  turns: { key: string; value: { account: string; holder: string; until: number } }
}

export interface Account {
  account: string
  life: string
  tick: number
  /** For each collection, the tick of the stored read. A re-read compares it and fetches only newer responses. */
  reads: Record<string, number>
  /** For each collection, the state that its stored response shows with the changes behind it. */
  states?: Record<string, StoredState> | undefined
  /** The latest change timestamp given out, in epoch milliseconds. */
  at?: Instant | undefined
  /**
   * `life`: the account's previous incarnation (see `LocalStore`), whose data the browser cleared. `entries`: the ids of its
   * writes that tabs have restored since.
   */
  after?: { life: string; entries: string[] } | undefined
}

export interface StoredState {
  /** That of the read. If it differs from the one in `reads`, a tab of the previous version has stored a response since. */
  tick: number
  tag: string | undefined
  /** How many changes are stored. */
  changes: number
}

/** The object stores with an account's rows. Their keys start with the account. */
export const rowStores = ['entries', 'lists', 'notices', 'values'] as const
export const allStores = ['accounts', 'turns', ...rowStores] as const
export type RowStoreName = (typeof rowStores)[number]
export type StoreName = (typeof allStores)[number]

/**
 * Runs `work` in a transaction on these object stores. Transactions that share a store run one after the other, and each is
 * applied whole or, if its work rejects, not at all. A transaction ends when its work awaits anything but the transaction's own
 * results. `durability`: undefined for a read-only transaction; the changes of a 'strict' one are on disk when it resolves.
 */
export interface Transact {
  <Result>(
    stores: readonly StoreName[],
    durability: undefined,
    work: (tx: ReadTransaction) => Promise<Result>,
  ): Promise<Result>
  <Result>(
    stores: readonly StoreName[],
    durability: Durability,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result>
}
export type Durability = 'strict' | 'relaxed' | 'default'

export interface ReadTransaction {
  get<Name extends StoreName>(
    store: Name,
    key: Schema[Name]['key'],
  ): Promise<Schema[Name]['value'] | undefined>
  /** All of an account's values in a store, in the order of their keys. */
  getAll<Name extends RowStoreName>(store: Name, account: string): Promise<Schema[Name]['value'][]>
}

export interface Transaction extends ReadTransaction {
  put<Name extends StoreName>(store: Name, value: Schema[Name]['value']): Promise<unknown> | undefined
  /** Adds a value. Rejects if the key is taken. */
  add<Name extends StoreName>(store: Name, value: Schema[Name]['value']): Promise<unknown> | undefined
  delete<Name extends StoreName>(store: Name, key: Schema[Name]['key']): Promise<void> | undefined
  deleteAll(store: RowStoreName, account: string): Promise<void> | undefined
}
