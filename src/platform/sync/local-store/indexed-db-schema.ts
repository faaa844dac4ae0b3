import type { DBSchema, IDBPTransaction } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import type { FailedWrite, QueuedWrite, StoredResponse } from '../outbox/queued-write.ts'

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

export const allStores = ['accounts', 'entries', 'lists', 'notices', 'values', 'turns'] as const
export type Transaction = IDBPTransaction<Schema, typeof allStores, 'readwrite'>
