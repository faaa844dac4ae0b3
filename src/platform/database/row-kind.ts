import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { ImportColumns } from './import-columns.ts'
import type { Tables } from './tables.ts'

/** The columns that every table of synced rows has. */
export interface SyncedColumns extends ImportColumns {
  user_id: string
  id: string
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

export type SyncedTable = {
  [Table in keyof Tables]: Tables[Table] extends SyncedColumns ? Table : never
}[keyof Tables]

export type UserTable = {
  [Table in keyof Tables]: Tables[Table] extends { user_id: string } ? Table : never
}[keyof Tables]

/** How many rows of a table a user may have, and the words of the message about it. */
export type RowLimit = {
  most: number
  /** The plural noun, such as 'tasks'. */
  many: string
  /** How to make room, as a sentence. */
  room: string
  /** Whether deleted rows are kept for a while. */
} & ({ table: SyncedTable; deletable: true } | { table: UserTable; deletable?: undefined })

/** A table in whose rows changes are put in order by instants. One that is ahead of the time would win over every change made now. */
export interface MergedTable {
  table: UserTable
  /** The columns with these instants. */
  instants: readonly string[]
  /** The rest of its primary key, after `user_id`. */
  key: readonly string[]
  /** What a change of its rows changes for clients. */
  collections: readonly string[]
  /** The column with the habit whose stored sums are made of its rows. */
  habit?: string | undefined
}

/** A kind of row, as purging, the deletion of accounts and the mending of instants need it. */
export interface RowKind {
  table: SyncedTable
  mergedTable: MergedTable
  /** Tables whose rows belong to one of these rows, and the column that says to which. */
  parts: readonly { table: UserTable; row: string }[]
  /**
   * Marks other rows of the kind as deleted that go when this one is purged, but no more than `most`. Returns how many. They are
   * purged next.
   */
  takeAlong?:
    | ((tx: Transaction<Tables>, row: { user_id: string; id: string }, most: number) => Promise<number>)
    | undefined
}
