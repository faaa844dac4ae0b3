import type { Kysely, Transaction } from 'kysely'
import type { Changes } from './changes.ts'
import { DatabaseRefusal } from './database-refusal.ts'
import type { FoundRow, LookUp } from './look-up.ts'
import type { Engine, MigrationStep } from './migrations/migration-step.ts'
import { migrations } from './migrations/migrations.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

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
  /** By which this process hears of such writes, whichever process made them. */
  changes: Pick<Changes, 'listen' | 'tell'>
  /**
   * A write that deletes for good: when it resolves, nothing of what was deleted is left in the files of SQLite either,
   * unless something was in the way, such as a full disk; then it is tried again by `scrub`.
   */
  erase<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Ends what an `erase` could not, by this process or by one that was killed. Throws when it still cannot. */
  scrub(): Promise<void>
  /** The instance that better-auth is handed. On SQLite its statements wait their turn among the writes. */
  auth: Kysely<Tables>
  /** Throws while the database cannot be reached. */
  ping(): Promise<void>
  /** Waits for the writes that were begun. */
  close(): Promise<void>
}

/**
 * Opens `sqlite:<path>` or `postgres://…` and brings its tables up to this program's version.
 * Throws a DatabaseRefusal, whose message is one line for the person who starts the program.
 */
export async function openDatabase(
  url: string,
  steps: readonly MigrationStep[] = migrations,
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, steps)
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  if (path === undefined || path.startsWith(':')) {
    throw new DatabaseRefusal('The database has to be sqlite:<path of a file> or postgres://<host>/<name>')
  }
  return openSqlite(path, steps)
}
