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
  /** When the row was last deleted; null while it exists. */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

export type SyncedTable = {
  [Table in keyof Tables]: Tables[Table] extends SyncedColumns ? Table : never
}[keyof Tables]

export type UserTable = {
  [Table in keyof Tables]: Tables[Table] extends { user_id: string } ? Table : never
}[keyof Tables]

/** How many rows of a table a user may have, and the texts for the message about it. */
export type RowLimit = {
  most: number
  /** The plural noun, such as 'tasks'. */
  many: string
  /** The sentence that tells the user how to make room. */
  room: string
  /** `deletable`: whether deleted rows are kept for a while before they are purged. */
} & ({ table: SyncedTable; deletable: true } | { table: UserTable; deletable?: undefined })

/** A table whose rows merge by instants. An instant in the future would win over every change made now. */
export interface MergedTable {
  table: UserTable
  /** The columns with the instants that decide whose change wins. */
  instants: readonly string[]
  /** The other columns of the primary key, after `user_id`. */
  key: readonly string[]
  /** The collections that change for clients when these rows do. */
  collections: readonly string[]
  /** The column with the habit id, if the habit's stored sums depend on these rows. */
  habit?: string | undefined
}

/** What purging, account deletion and the repair of future instants need to know about a kind of row. */
export interface RowKind {
  table: SyncedTable
  mergedTable: MergedTable
  /** Tables whose rows belong to rows of this kind, and the column with the id of the row they belong to. */
  parts: readonly { table: UserTable; row: string }[]
  /**
   * When a row is purged, marks other rows of its kind that must go with it as deleted, at most `most`. Returns how many were
   * marked. They are purged next.
   */
  takeAlong?:
    | ((tx: Transaction<Tables>, row: { user_id: string; id: string }, most: number) => Promise<number>)
    | undefined
}
