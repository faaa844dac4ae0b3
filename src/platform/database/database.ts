import type { Kysely, Transaction } from 'kysely'
import type { Changes } from './changes.ts'
import { DatabaseRefusal } from './database-refusal.ts'
import type { FoundRow, LookUp } from './look-up.ts'
import type { Engine, MigrationStep } from './migrations/migration-step.ts'
import { migrations } from './migrations/migrations.ts'
import { openPostgres } from './postgres.ts'
import { RowCounts, type RowLimits, rowLimits } from './row-limits.ts'
import { openSqlite } from './sqlite.ts'
import type { Storage } from './storage.ts'
import type { Tables } from './tables.ts'
import type { Tell } from './update-progress.ts'

export interface Database {
  engine: Engine
  /** For reading outside of a write: on SQLite a connection of its own, which refuses to write. */
  read: Kysely<Tables>
  /** Several reads that see the database as it was at one moment. */
  snapshot<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * For what nearly every request needs: compiled and prepared once, and asked for all requests that have arrived
   * together. It sees what was committed by then. `take` makes what is found of a row,
   * which on SQLite is the same object for all who ask for it.
   */
  lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found): (key: string) => Promise<Found | undefined>
  /**
   * Runs `work` as one transaction; when it throws, all of it is undone. On SQLite the writes run one after another, and
   * those that wait are committed together; each resolves when what it did is durable.
   * Inside of `work` only `tx` may be used: anything else of this database throws, since it would wait for itself.
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * A write that changes rows of `user`, and with them the user's revision: whatever is shown of them is read anew. `lists`
   * are those of the wire that it changes, by what follows `/api/` in their path, such as 'todos'.
   */
  writeFor<T>(
    user: string,
    lists: readonly string[],
    work: (tx: Transaction<Tables>) => Promise<T>,
  ): Promise<T>
  /** How many rows its users have, and may have. */
  rowCounts: Pick<RowCounts, 'add' | 'isNear' | 'forget'>
  /** By which this process hears of such writes, whichever process made them. */
  changes: Pick<Changes, 'listen' | 'tell'>
  /**
   * A write that deletes for good: soon after it, when nobody writes for a moment, nothing of what was deleted is left in the
   * files of SQLite either; at the latest when somebody calls `scrub`.
   */
  erase<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * Ends what is left to do of an `erase`, of this process or of one that was killed; whoever writes waits meanwhile. Throws
   * when it could not, such as with a full disk.
   */
  scrub(): Promise<void>
  /** The instance that better-auth is handed. On SQLite its statements wait their turn among the writes. */
  auth: Kysely<Tables>
  /** Throws while the database cannot be reached. */
  ping(): Promise<void>
  /** Whether anything can be stored. What cannot be is read on. */
  storage: Storage
  /** Waits for the writes that were begun. */
  close(): Promise<void>
}

export interface Opening {
  limits?: RowLimits
  /** Of PostgreSQL: the same database past a pooler. */
  directUrl?: string | undefined
  /** Of PostgreSQL: connections of this process, besides the one that it listens on. */
  poolSize?: number
  /** Hears how far an update of the tables has got. */
  tell?: Tell
}

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings its tables up to this program's version; `tell` hears how that gets on.
 * Throws a DatabaseRefusal, whose message is one line for the person who starts the program.
 */
export async function openDatabase(
  url: string,
  steps: readonly MigrationStep[] = migrations,
  { limits = rowLimits, directUrl, poolSize = 10, tell = () => {} }: Opening = {},
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    return openPostgres({ url, directUrl, poolSize }, steps, new RowCounts(limits, 'postgres'), tell)
  }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  if (path === undefined || path.startsWith(':')) {
    throw new DatabaseRefusal('The database has to be sqlite:<path of a file> or postgres://<host>/<name>')
  }
  return openSqlite(path, steps, new RowCounts(limits, 'sqlite'), tell)
}
