import type { Kysely, Transaction } from 'kysely'
import type { Changes } from './changes.ts'
import type { FoundRow, LookUp } from './look-up.ts'
import { migrations } from './migrations/migrations.ts'
import { openPostgres } from './postgres/postgres.ts'
import { RowCounts, type RowLimits } from './row-limits.ts'
import type { Engine, MigrationStep } from './schema/migration-step.ts'
import type { Schema } from './schema/schema-watch.ts'
import type { ReportProgress } from './schema/update-progress.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { DatabaseError } from './storage/database-error.ts'
import type { Storage } from './storage/storage.ts'
import type { Tables } from './tables.ts'

export interface Database {
  engine: Engine
  /** For reading outside a write: on SQLite a separate connection, which refuses to write. */
  read: Kysely<Tables>
  /** Several reads that see the database as it was at one moment. */
  snapshot<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * For what nearly every request needs: compiled and prepared once, and run once for all requests that arrived
   * together. It sees what was committed by then. `take` converts a row that was found; on SQLite every caller gets the
   * same converted object.
   */
  lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found): (key: string) => Promise<Found | undefined>
  /**
   * Runs `work` as one transaction; if it throws, all of it is rolled back. On SQLite writes run one after another, and
   * those that are waiting are committed together; each resolves once its changes are durable. Inside `work` only `tx`
   * may be used: any other use of this database throws, since it would deadlock. `user`: whose turn it takes on SQLite.
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, user?: string): Promise<T>
  /**
   * A write that changes rows of `user`, and with them the user's revision, so that clients read them again. `lists`
   * names the collections that it changes by the part of their path after `/api/`, such as 'todos'.
   */
  writeFor<T>(
    user: string,
    lists: readonly string[],
    work: (tx: Transaction<Tables>) => Promise<T>,
  ): Promise<T>
  /** How many rows its users have, and may have. */
  rowCounts: Pick<RowCounts, 'add' | 'isNear' | 'forget'>
  /** Notifies this process of such writes, whichever process made them. */
  changes: Pick<Changes, 'listen' | 'notify'>
  /**
   * A write that deletes for good: soon afterwards, in a moment without writes, what was deleted is scrubbed from
   * SQLite's files too; at the latest when somebody calls `scrub`.
   */
  erase<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * Finishes the scrubbing that an `erase` left to do, in this process or in one that was killed; writers wait
   * meanwhile. Throws if it fails, for instance because the disk is full.
   */
  scrub(): Promise<void>
  /** The instance for better-auth. On SQLite its statements queue with the writes. */
  auth: Kysely<Tables>
  /** Throws while the database cannot be reached. */
  ping(): Promise<void>
  /** Whether writes can be stored. Reads go on even when they cannot. */
  storage: Storage
  /** Whether its tables are still those of this program. Once they are not, writes throw a SchemaMoved. */
  schema: Schema
  /** Waits for the writes that have begun. */
  close(): Promise<void>
}

export interface Opening {
  /** Of rows that one user may have, where others are to hold than those that are declared. */
  limits?: RowLimits
  /** PostgreSQL only: the same database, reached directly instead of through a pooler. */
  directUrl?: string | undefined
  /** PostgreSQL only: how many connections this process opens besides the one that it listens on. */
  poolSize?: number
  /** PostgreSQL only: how many milliseconds a statement waits for its response. */
  responseTimeout?: number
  /** Receives the progress of an update of the tables. */
  report?: ReportProgress
  /**
   * SQLite only: where a newer program has updated the file, it is set aside with this ending, and the copy that was
   * kept before takes its place.
   */
  goBack?: string | undefined
}

/**
 * Opens `sqlite:<path>` or `postgres://…` and migrates its tables to this program's version; `report` receives the
 * progress. Throws a DatabaseError, whose message is one line for the person who starts the program.
 */
export async function openDatabase(
  url: string,
  steps: readonly MigrationStep[] = migrations,
  { limits = {}, directUrl, poolSize = 10, responseTimeout, report = () => {}, goBack }: Opening = {},
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const addresses = { url, directUrl, poolSize, responseTimeout }
    return openPostgres(addresses, steps, new RowCounts(limits, 'postgres'), report)
  }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  if (path === undefined || path.startsWith(':')) {
    throw new DatabaseError('The database has to be sqlite:<path of a file> or postgres://<host>/<name>')
  }
  return openSqlite(path, steps, new RowCounts(limits, 'sqlite'), { report, goBack })
}
