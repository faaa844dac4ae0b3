import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import { Changes } from '../changes.ts'
import { type FoundRow, type LookUp, lookUpTogether } from '../look-up.ts'
import { revisionRenewal } from '../revision.ts'
import { loggedRows } from '../revisions/change-log.ts'
import { changedRowsOf, numberOfRows } from '../revisions/changed-rows.ts'
import type { RowCounts } from '../row-limits.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { SchemaMoved, SchemaWatch } from '../schema/schema-watch.ts'
import type { ReportProgress } from '../schema/update-progress.ts'
import { DatabaseError, NewerDatabaseError } from '../storage/database-error.ts'
import { minFreeBytes, onFailure, StorageMonitor } from '../storage/storage.ts'
import { StorageFailure, storageProblemOf } from '../storage/storage-problem.ts'
import type { Tables } from '../tables.ts'
import { createWriteGuard } from '../write-guard.ts'
import { forReading, forWriting, nodeSqliteDialect } from './connection/dialect.ts'
import { retryWhileLocked } from './connection/retry-while-locked.ts'
import { SqliteThread } from './connection/thread.ts'
import { freeBytesOf } from './file/free-bytes.ts'
import { goBackToCopy } from './file/go-back.ts'
import { schemaLook } from './file/schema-fence.ts'
import { updateFile } from './file/update.ts'
import { cachingReader } from './look-up.ts'
import { partRunner } from './part.ts'
import { createScrubbing, markForScrubbing } from './scrub/scrub.ts'
import { createSharedCommit } from './shared-commit.ts'

// Milliseconds for which another process may delay a read. While a read waits, this whole process is blocked. Writes wait in
// `retryWhileLocked` instead.
const busyTimeout = 250

export async function openSqlite(
  location: string,
  steps: readonly MigrationStep[],
  rowCounts: RowCounts,
  { report, goBack }: { report: ReportProgress; goBack: string | undefined },
) {
  const path = resolve(location)
  try {
    makeFile(path)
    await updateFile(path, steps, report).catch(async (error) => {
      if (goBack === undefined || !(error instanceof NewerDatabaseError)) throw error
      await goBackToCopy(path, steps, goBack, error, report)
      await updateFile(path, steps, report)
    })
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(`The database ${path} cannot be opened: ${reason}`, { cause: error })
  }

  const guard = createWriteGuard()
  // Another process that starts or ends at this moment may hold the whole file while it moves its log into the file.
  const writing = await retryWhileLocked(() => connect(path, { timeout: 0 }))
  const reading = connect(path, { timeout: busyTimeout, readOnly: true })
  // Look-ups have their own connection. Nobody opens a long transaction on it, so it always sees the last commit.
  const lookUpConnection = connect(path, { timeout: busyTimeout, readOnly: true })
  const opened = identityOf(path)
  const storage = new StorageMonitor({ tryStoring, freeBytes: () => freeBytesOf(path) })
  const lookWhileReading = schemaLook(reading, steps)
  const lookWhileWriting = schemaLook(writing, steps)
  const schema = new SchemaWatch(async () => lookWhileReading())
  const rules = {
    onRequest: () => scrubbing.onWriteRequest(),
    ensureWritable() {
      // Writing into a damaged file may damage more of it.
      if (storage.problem() === 'corrupt') throw new StorageFailure('corrupt')
      ensureKept()
    },
    ensureKept,
    ensureKnown,
  }
  const writer = new Kysely<Tables>({
    dialect: nodeSqliteDialect(writing, forWriting, guard, rules),
    log: onFailure((error) => storage.failed(error)),
  })
  // Runs each write of a shared commit. The shared commit checks the rules once for all of them.
  const runPart = await partRunner(writing, nodeSqliteDialect(writing, forWriting, guard), guard)
  const reader = new Kysely<Tables>({
    dialect: nodeSqliteDialect(reading, forReading, guard),
    log: onFailure(onReadFailure),
  })
  const takeTurn = (work: () => Promise<void>) => writer.connection().execute(work)
  const scrubbing = createScrubbing({ path, reader, takeTurn })
  const commit = createSharedCommit({
    database: writing,
    takeTurn,
    async begin() {
      rules.ensureWritable()
      await retryWhileLocked(() => writing.exec('begin immediate'))
      try {
        ensureKnown()
      } catch (error) {
        writing.exec('rollback')
        throw error
      }
    },
    ensureKept,
    clock: () => performance.now(),
  })
  const renewRevision = revisionRenewal(reader)
  const changes = new Changes()

  async function commitPart<T>(part: () => Promise<T>, user?: string): Promise<T> {
    try {
      const done = await commit.write(part, user)
      storage.stored()
      return done
    } catch (error) {
      storage.failed(error)
      throw error
    }
  }

  async function write<T>(work: (tx: Transaction<Tables>) => Promise<T>, user?: string): Promise<T> {
    guard.refuseInside()
    return commitPart(() => runPart(work), user)
  }

  function ensureKnown(): void {
    const state = lookWhileWriting()
    schema.saw(state)
    if (state !== 'current') throw new SchemaMoved('newer')
  }

  /**
   * Throws if the file was removed or replaced. A process that still has the old file open can go on writing, but loses
   * everything in that file when it closes it.
   */
  function ensureKept(): void {
    if (identityOf(path) !== opened) throw new StorageFailure('replaced')
  }

  /** Handles an error of a read connection. Most read errors say nothing about whether writing works. */
  function onReadFailure(error: unknown): void {
    const problem = storageProblemOf(error)
    if (problem === 'corrupt' || problem === 'failing') storage.failed(error)
  }

  async function tryStoring(): Promise<void> {
    if (storage.problem() === 'corrupt') {
      if (!(await isWhole(path))) throw new StorageFailure('corrupt')
      return
    }
    await commit.write(async () => {
      // Setting `user_version` to its current value still writes a page of the file. Updating a row to its current values would
      // not.
      const version = writing.prepare('pragma user_version').get()?.user_version
      writing.exec(`pragma user_version = ${Number(version)}`)
    })
    if (!hasRoom()) throw new StorageFailure('full')
  }

  /** Whether there is still room after the write above, which may have taken the last of it. */
  function hasRoom(): boolean {
    const free = freeBytesOf(path)
    if (free !== undefined && free < minFreeBytes) return false
    const pages = Number(writing.prepare('pragma page_count').get()?.page_count)
    return pages < Number(writing.prepare('pragma max_page_count').get()?.max_page_count)
  }

  let closed: Promise<void> | undefined
  return {
    engine: 'sqlite' as const,
    read: reader,
    readTogether: <T>(work: (read: Kysely<Tables>) => Promise<T>) => work(reader),
    snapshot: <T>(work: (tx: Transaction<Tables>) => Promise<T>) => reader.transaction().execute(work),
    write,
    async writeFor<T>(
      user: string,
      collections: readonly string[],
      work: (tx: Transaction<Tables>) => Promise<T>,
    ) {
      const { done, changed, renewed } = await write(async (tx) => {
        const done = await work(tx)
        const changed = changedRowsOf(tx, collections)
        const logged = { rows: loggedRows(changed), changedAt: Date.now() }
        return { done, changed, renewed: await renewRevision(tx, user, logged) }
      }, user)
      changes.notify(user, { ...renewed, collections, rows: numberOfRows(changed) })
      return done
    },
    rowCounts,
    changes,
    lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found) {
      const query = build(reader, (column) => sql<SqlBool>`${sql.ref(column)} = ${''}`)
      const read = cachingReader(lookUpConnection, query.sql, take)
      return lookUpTogether(guard, async (keys) => {
        try {
          return read(keys)
        } catch (error) {
          onReadFailure(error)
          throw error
        }
      })
    },
    async erase<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
      const done = await write(async (tx) => {
        await markForScrubbing(tx)
        return work(tx)
      })
      scrubbing.whenQuiet()
      return done
    },
    scrub: () => scrubbing.now(),
    auth: writer,
    async ping() {
      // Read a page of the file: a statement that reads nothing would never touch the disk.
      await sql`select name from kysely_migration limit 1`.execute(reader)
      try {
        ensureKept()
      } catch (error) {
        storage.failed(error)
        throw error
      }
    },
    storage,
    schema,
    close() {
      closed ??= closeBoth()
      return closed
    },
  }

  async function closeBoth(): Promise<void> {
    storage.stop()
    schema.stop()
    await scrubbing.close()
    lookUpConnection.close()
    // The writer closes last: the last connection cleans up the write-ahead log, which a reader cannot do.
    await reader.destroy()
    if (reading.isOpen) reading.close()
    await commit.finished()
    await writer.destroy()
    if (writing.isOpen) writing.close()
  }
}

function makeFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DatabaseError(
      `The database ${path} is a folder; name a file in it, such as sqlite:${join(path, 'daymark.db')}`,
    )
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite gives the same mode to the files that it creates beside the database file.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/**
 * Identifies the file at a path; undefined if there is none. Uses `stat` only: opening and closing a SQLite file here would drop
 * the locks that this process holds on it.
 */
function identityOf(path: string): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file && `${file.dev}:${file.ino}`
}

async function isWhole(path: string): Promise<boolean> {
  const thread = new SqliteThread({ path, readOnly: true })
  try {
    const { rows } = await thread.run<{ quick_check: string }>('pragma quick_check(1)')
    return rows[0]?.quick_check === 'ok'
  } catch {
    return false
  } finally {
    await thread.close()
  }
}

function connect(path: string, options: { timeout: number; readOnly?: boolean }): DatabaseSync {
  const database = new DatabaseSync(path, options)
  try {
    database.exec('pragma synchronous = full')
  } catch (error) {
    database.close()
    throw error
  }
  return database
}
