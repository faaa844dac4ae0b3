import type { DBSchema } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import type { FailedWrite, QueuedWrite, StoredResponse } from './queued-write.ts'

// These names are what browsers have stored, so they stay: `entries` are queued writes, `lists` responses, `notices` failed
// writes, `values` device values, `turns` leases, and an account's `life` its incarnation.
export interface Schema extends DBSchema {
  accounts: { key: string; value: Account }
  entries: { key: [account: string, seq: number]; value: QueuedWrite }
  lists: { key: [account: string, list: string]; value: StoredResponse }
  notices: { key: [account: string, id: number]; value: FailedWrite }
  values: { key: [account: string, name: string]; value: { account: string; name: string; value: unknown } }
  turns: { key: string; value: { account: string; holder: string; until: number } }
}

export interface Account {
  account: string
  life: string
  tick: number
  /** For each collection, the tick of the stored read, so that a re-read fetches only what is new to it. */
  reads: Record<string, number>
  /** The latest change timestamp given out. */
  at?: Instant | undefined
  /** The incarnation that the browser cleared before this one, and the ids of the writes restored by tabs since. */
  after?: { life: string; entries: string[] } | undefined
}

/** Those that hold rows of an account, under its name first. */
export const rowStores = ['entries', 'lists', 'notices', 'values'] as const
export const allStores = ['accounts', 'turns', ...rowStores] as const
export type RowStoreName = (typeof rowStores)[number]
export type StoreName = (typeof allStores)[number]

/**
 * Runs `work` in a transaction on these object stores. Those that share a store come one after the other, and each is made whole or,
 * if its work rejects, not at all. It ends when its work awaits anything but what the transaction itself returned.
 * `durability`: of what it changes, which is on disk when a strict one resolves; undefined for one that only reads.
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
  /** Those of an account, by their keys. */
  getAll<Name extends RowStoreName>(store: Name, account: string): Promise<Schema[Name]['value'][]>
}

export interface Transaction extends ReadTransaction {
  put<Name extends StoreName>(store: Name, value: Schema[Name]['value']): Promise<unknown> | undefined
  /** Rejects if the key is taken. */
  add<Name extends StoreName>(store: Name, value: Schema[Name]['value']): Promise<unknown> | undefined
  delete<Name extends StoreName>(store: Name, key: Schema[Name]['key']): Promise<void> | undefined
  deleteAll(store: RowStoreName, account: string): Promise<void> | undefined
}
