import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { appliedMigrations, isBehind, migrate, refuseUnknown } from '#platform/database/schema/migrate.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import {
  type ReportProgress,
  type UpdateProgress,
  updateProgress,
} from '#platform/database/schema/update-progress.ts'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { createWriteGuard } from '#platform/database/write-guard.ts'
import { forReading, forWriting, nodeSqliteDialect } from '../connection/dialect.ts'
import { retryWhileLocked } from '../connection/retry-while-locked.ts'
import { SqliteThread, threadDialect } from '../connection/thread.ts'
import { keepCopy } from './copy.ts'

// Milliseconds for which another process may hold the file: long enough for it to update a large file.
const patience = 600_000

/**
 * Migrates a file to `steps`. Slow work runs on a separate thread, so that this thread can respond that the server is not ready
 * yet. Throws a DatabaseError if the file has to be left as it is.
 */
export async function updateFile(
  path: string,
  steps: readonly MigrationStep[],
  report: ReportProgress,
): Promise<void> {
  const applied = await retryWhileLocked(() => readMigrations(path, steps), patience)
  // A new file is migrated here: that is quick, and starting a thread would take longer.
  const isOld = applied.length > 0 && isBehind(applied, steps)
  const connection = isOld ? connectOnThread(path) : connectHere(path)
  const progress = updateProgress(report)
  try {
    await switchToWriteAheadLog(connection)
    if (isBehind(applied, steps)) await update(path, steps, connection, progress)
  } finally {
    progress.stop()
    await connection.close()
  }
}

/** The migrations applied to a file. Uses a connection that cannot write, so that a refused file is left exactly as it is. */
export async function readMigrations(path: string, steps: readonly MigrationStep[]): Promise<string[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(database, forReading, createWriteGuard()) })
  try {
    // In one transaction, so that changes by another process are seen as a whole or not at all.
    return await db.transaction().execute(async (tx) => {
      const applied = await appliedMigrations(tx, 'sqlite')
      refuseUnknown(applied, steps)
      if (applied.length === 0 && (await tx.introspection.getTables()).length > 0) {
        throw new DatabaseError(`The file ${path} holds the tables of another program`)
      }
      return applied
    })
  } finally {
    await db.destroy()
    if (database.isOpen) database.close()
  }
}

async function update(
  path: string,
  steps: readonly MigrationStep[],
  { db, run }: Connection,
  progress: UpdateProgress,
): Promise<void> {
  await run('pragma synchronous = full')
  progress.wait('waiting for another process to let go of it')
  const count = await db.transaction().execute(async (tx) => {
    const applied = await appliedMigrations(tx, 'sqlite')
    refuseUnknown(applied, steps)
    if (!isBehind(applied, steps)) return 0
    const latest = applied.at(-1)
    if (latest !== undefined) await keepCopy(path, latest, steps, progress)
    const count = await migrate(tx, 'sqlite', steps, progress)
    progress.wait('looking for rows that refer to nothing')
    const broken = await sql`pragma foreign_key_check`.execute(tx)
    if (broken.rows.length > 0) throw new Error('a migration left rows that refer to nothing')
    progress.wait('storing it')
    return count
  })
  if (count > 0) progress.done(count)
}

/**
 * A connection for migrations. Foreign keys are off, since a migration that rebuilds a table would cascade into the tables that
 * refer to it; they are checked before the commit.
 */
interface Connection {
  db: Kysely<unknown>
  run(pragma: string): Promise<{ rows: Record<string, unknown>[] }>
  close(): Promise<void>
}

function connectOnThread(path: string): Connection {
  const thread = new SqliteThread({ path, timeout: patience, enableForeignKeyConstraints: false })
  const db = new Kysely<unknown>({ dialect: threadDialect(thread) })
  return { db, run: (pragma) => thread.run(pragma), close: () => thread.close() }
}

function connectHere(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: patience, enableForeignKeyConstraints: false })
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(database, forWriting, createWriteGuard()) })
  return {
    db,
    run: async (pragma) => ({ rows: database.prepare(pragma).all() }),
    async close() {
      await db.destroy()
      if (database.isOpen) database.close()
    },
  }
}

/** Retries, because SQLite itself does not wait for a file that another process has open in the old journal mode. */
async function switchToWriteAheadLog({ run }: Connection): Promise<void> {
  const { rows } = await retryWhileLocked(() => run('pragma journal_mode = wal'), patience)
  if (rows[0]?.journal_mode !== 'wal') throw new Error('its file system cannot keep a write-ahead log')
}
