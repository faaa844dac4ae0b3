import type { Kysely, Transaction } from 'kysely'
import type { Changes } from './changes.ts'
import type { FoundRow, LookUp } from './look-up.ts'
import type { RowCounts } from './row-limits.ts'
import type { Engine } from './schema/migration-step.ts'
import type { Schema } from './schema/schema-watch.ts'
import type { Storage } from './storage/storage.ts'
import type { Tables } from './tables.ts'

export interface Database {
  engine: Engine
  /** For reading outside a write. On SQLite, this is a separate connection that refuses to write. */
  read: Kysely<Tables>
  /** Several reads: on PostgreSQL, those that `work` asks for together are sent together. */
  readTogether<T>(work: (read: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Runs several reads that see the database as it was at one moment. */
  snapshot<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * A query that nearly every request needs: compiled and prepared once, and run once for all requests that arrived together. A
   * caller sees everything that was committed before it asked. `take` converts a found row; on SQLite every caller gets the same
   * converted object.
   */
  lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found): (key: string) => Promise<Found | undefined>
  /**
   * Runs `work` as one transaction; if it throws, all of it is rolled back. On SQLite, writes run one after another, and waiting
   * writes are committed together; each resolves once its changes are durable. Inside `work` only `tx` may be used: any other use
   * of this database throws, since it would deadlock. `user`: on SQLite, users take turns, and the write waits for this user's
   * turn.
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, user?: string): Promise<T>
  /**
   * A write that changes rows of `user`, and with them the user's revision, so that clients read them again. `collections`
   * names the collections that it changes by the part of their path after `/api/`, such as 'todos'.
   */
  writeFor<T>(
    user: string,
    collections: readonly string[],
    work: (tx: Transaction<Tables>) => Promise<T>,
  ): Promise<T>
  /** How many rows each user has and may have. */
  rowCounts: Pick<RowCounts, 'add' | 'isNear' | 'forget'>
  /** Notifies listeners in this process about `writeFor` writes, whichever process made them. */
  changes: Pick<Changes, 'listen' | 'notify'>
  /**
   * A write that deletes for good. Soon afterwards, in a moment without writes, the deleted data is also scrubbed from SQLite's
   * files; at the latest when `scrub` is called.
   */
  erase<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * Finishes the scrubbing that an `erase` left to do, in this process or in one that was killed. Writers wait meanwhile. Throws
   * if it fails, for instance because the disk is full.
   */
  scrub(): Promise<void>
  /** The Kysely instance for better-auth, the sign-in library. On SQLite its statements queue with the writes. */
  auth: Kysely<Tables>
  /** Throws while the database cannot be reached. */
  ping(): Promise<void>
  /** Whether writes can be stored. Reads go on even when they cannot. */
  storage: Storage
  /** Whether the tables are still those of this program. Once they are not, writes throw a SchemaMoved. */
  schema: Schema
  /** Closes the database after the writes that have begun. */
  close(): Promise<void>
}
