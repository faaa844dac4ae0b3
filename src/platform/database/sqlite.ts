import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import { Changes } from './changes.ts'
import { DatabaseRefusal } from './database-refusal.ts'
import { type FoundRow, type LookUp, lookUpTogether } from './look-up.ts'
import { appliedMigrations, migrate, refuseNewer } from './migrate.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { revisionRenewal } from './revision.ts'
import { keepCopy } from './sqlite-copy.ts'
import { forReading, forWriting, nodeSqliteDialect } from './sqlite-dialect.ts'
import { rememberingReader } from './sqlite-look-up.ts'
import { partRunner } from './sqlite-part.ts'
import { isMarkedForScrubbing, markForScrubbing, scrubFile } from './sqlite-scrub.ts'
import { createSharedCommit } from './sqlite-shared-commit.ts'
import type { Tables } from './tables.ts'
import { createWriteGuard } from './write-guard.ts'

// How long another process may hold the file before a statement gives up. Waiting blocks this whole process.
const busyTimeout = 5_000
const migrationBusyTimeout = 60_000

export async function openSqlite(location: string, steps: readonly MigrationStep[]) {
  const path = resolve(location)
  try {
    makeFile(path)
    await refuseForeignOrNewer(path, steps)
    await migrateFile(path, steps)
  } catch (error) {
    if (error instanceof DatabaseRefusal) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefusal(`The database ${path} cannot be opened: ${reason}`, { cause: error })
  }

  const guard = createWriteGuard()
  const writing = connect(path, { timeout: busyTimeout })
  const reading = connect(path, { timeout: busyTimeout, readOnly: true })
  // Nobody else holds a transaction open on it, so that it always sees what was committed last.
  const asking = connect(path, { timeout: busyTimeout, readOnly: true })
  const writingDialect = nodeSqliteDialect(writing, forWriting, guard)
  const writer = new Kysely<Tables>({ dialect: writingDialect })
  const runPart = await partRunner(writing, writingDialect, guard)
  const reader = new Kysely<Tables>({ dialect: nodeSqliteDialect(reading, forReading, guard) })
  const commit = createSharedCommit({
    database: writing,
    takeTurn: (work) => writer.connection().execute(work),
  })
  const renewRevision = revisionRenewal(reader)
  const changes = new Changes()
  async function write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    guard.refuseInside()
    return commit.write(() => runPart(work))
  }
  // Those who ask while nobody has begun yet are served by one.
  let nextScrub: Promise<void> | undefined
  const scrub = async () => {
    if (!(await isMarkedForScrubbing(reader))) return
    // The writer's turn is held meanwhile: writes wait in line instead of blocking the process for the file's lock.
    nextScrub ??= writer.connection().execute(async () => {
      nextScrub = undefined
      await scrubFile(path)
    })
    await nextScrub
  }
  const opened = identityOf(path)
  let closed: Promise<void> | undefined
  return {
    engine: 'sqlite' as const,
    read: reader,
    snapshot: <T>(work: (tx: Transaction<Tables>) => Promise<T>) => reader.transaction().execute(work),
    write,
    async writeFor<T>(user: string, lists: readonly string[], work: (tx: Transaction<Tables>) => Promise<T>) {
      const { done, renewed } = await write(async (tx) => ({
        done: await work(tx),
        renewed: await renewRevision(tx, user),
      }))
      changes.tell(user, { ...renewed, lists })
      return done
    },
    changes,
    lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found) {
      const query = build(reader, (column) => sql<SqlBool>`${sql.ref(column)} = ${''}`)
      const read = rememberingReader(asking, query.sql, take)
      return lookUpTogether(guard, async (keys) => read(keys))
    },
    async erase<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
      const done = await write(async (tx) => {
        await markForScrubbing(tx)
        return work(tx)
      })
      // It is deleted whatever comes of this, and the mark stays until it is done.
      await Promise.allSettled([scrub()])
      return done
    },
    scrub,
    auth: writer,
    async ping() {
      // A page of the file is read for it; with nothing to read, SQLite never touches the disk.
      await sql`select name from kysely_migration limit 1`.execute(reader)
      // A file that was removed or replaced goes on working for whoever has it open, and is lost at the end.
      if (identityOf(path) !== opened) throw new Error('The file of the database was removed or replaced')
    },
    close() {
      closed ??= closeBoth()
      return closed
    },
  }

  async function closeBoth(): Promise<void> {
    asking.close()
    // The writer last: the last connection to close tidies the write-ahead log away, which a reader cannot.
    await reader.destroy()
    if (reading.isOpen) reading.close()
    await commit.finished()
    await writer.destroy()
    if (writing.isOpen) writing.close()
  }
}

function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite gives the files that it makes beside this one the same mode.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

function connect(path: string, options: { timeout: number; readOnly?: boolean }): DatabaseSync {
  const database = new DatabaseSync(path, options)
  database.exec('pragma synchronous = full')
  return database
}

/** By a connection that cannot write, so that such a file is left exactly as it is. */
async function refuseForeignOrNewer(path: string, steps: readonly MigrationStep[]): Promise<void> {
  const database = new DatabaseSync(path, { timeout: migrationBusyTimeout, readOnly: true })
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(database, forReading, createWriteGuard()) })
  try {
    // In one transaction, so that what another process makes of the file meanwhile is seen as a whole or not at all.
    await db.transaction().execute(async (tx) => {
      const applied = await appliedMigrations(tx)
      refuseNewer(applied, steps)
      if (applied.length === 0 && (await tx.introspection.getTables()).length > 0) {
        throw new DatabaseRefusal(`The file ${path} holds the tables of another program`)
      }
    })
  } finally {
    await db.destroy()
  }
}

async function migrateFile(path: string, steps: readonly MigrationStep[]): Promise<void> {
  // Foreign keys are off meanwhile, since a migration that rebuilds a table would cascade into the tables that refer to
  // it; they are checked before the commit.
  const database = new DatabaseSync(path, {
    timeout: migrationBusyTimeout,
    enableForeignKeyConstraints: false,
  })
  const db = new Kysely<unknown>({
    dialect: nodeSqliteDialect(database, forWriting, createWriteGuard()),
  })
  try {
    await switchToWriteAheadLog(database)
    database.exec('pragma synchronous = full')
    await db.transaction().execute(async (tx) => {
      const applied = await appliedMigrations(tx)
      refuseNewer(applied, steps)
      if (applied.length === steps.length) return
      const latest = applied.at(-1)
      if (latest !== undefined) keepCopy(path, latest)
      await migrate(tx, 'sqlite', steps)
      const broken = await sql`pragma foreign_key_check`.execute(tx)
      if (broken.rows.length > 0) throw new Error('a migration left rows that refer to nothing')
    })
  } finally {
    await db.destroy()
    if (database.isOpen) database.close()
  }
}

/** SQLite does not wait for a file that another process has open in the old mode, so this does. */
async function switchToWriteAheadLog(database: DatabaseSync): Promise<void> {
  for (const deadline = Date.now() + migrationBusyTimeout; ; await pause(20)) {
    try {
      const mode = database.prepare('pragma journal_mode = wal').get()?.journal_mode
      if (mode !== 'wal') throw new Error('its file system cannot keep a write-ahead log')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}
