import { createHash } from 'node:crypto'
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { DatabaseError, reasonOf } from '../database-error.ts'
import { type FoundRow, type LookUp, lookUpTogether } from '../look-up.ts'
import { appliedMigrations, isBehind, migrate, refuseNewer } from '../migrate.ts'
import type { MigrationStep } from '../migrations/migration-step.ts'
import { chainedRevisionRenewal } from '../revision.ts'
import type { RowCounts } from '../row-limits.ts'
import { onFailure, StorageMonitor } from '../storage.ts'
import type { Tables } from '../tables.ts'
import { type ReportProgress, updateProgress } from '../update-progress.ts'
import { costOfRow, countStatement, leavingThread, lengthOf } from '../work.ts'
import { createWriteGuard, type WriteGuard } from '../write-guard.ts'
import { postgresChanges } from './changes.ts'
import { findPooler } from './pooler.ts'
import { PostgresQueue } from './queue.ts'

const connectTimeout = 5_000
// Longer than any of our statements takes. Without it, we would wait for a server that stopped responding until the
// connections break, which takes a quarter of an hour.
const longestResponse = 15_000
// An arbitrary number, the same in every version of this program.
const migrationLock = 4_914_202_611

interface Addresses {
  url: string
  /** The same database without the pooler; undefined if `url` is to be used for everything. */
  directUrl: string | undefined
  /** The most connections, besides the one for other processes' changes. */
  poolSize: number
  responseTimeout: number | undefined
}

export async function openPostgres(
  { url, directUrl, poolSize, responseTimeout = longestResponse }: Addresses,
  steps: readonly MigrationStep[],
  rowCounts: RowCounts,
  report: ReportProgress,
) {
  const guard = createWriteGuard()
  const settings = settingsOf({ connectionString: url, query_timeout: responseTimeout })
  const direct = directUrl === undefined ? undefined : { ...settings, connectionString: directUrl }
  const pool = openPool({ connectionString: url, query_timeout: responseTimeout, max: poolSize })
  const queue = new PostgresQueue(pool, responseTimeout)
  const storage = new StorageMonitor({
    // Only the server knows about its disk.
    freeBytes: () => undefined,
    // PostgreSQL rewrites an updated row even if its values stay the same.
    tryStoring: () => sql`update kysely_migration_lock set is_locked = is_locked`.execute(db),
  })
  const db: Kysely<Tables> = new Kysely<Tables>({
    dialect: guardedDialect(queue, guard),
    plugins: [countingPlugin],
    log: onFailure((error) => storage.failed(error)),
  })
  let isPooled: boolean
  try {
    isPooled = await checkAddresses(pool, settings, direct)
    if (!(await isUpToDate(db, steps))) await update(directUrl ?? url, guard, steps, report)
  } catch (error) {
    storage.stop()
    // On a dead connection, a clean goodbye would wait forever.
    void queue.end()
    if (error instanceof DatabaseError) throw error
    throw new DatabaseError(`The PostgreSQL database cannot be opened: ${reasonOf(error)}`, {
      cause: error,
    })
  }
  const renewRevision = chainedRevisionRenewal(db)
  const others = postgresChanges(direct ?? settings)
  const begun = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  async function write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    if (closed) throw new Error('The database is closed')
    const write = db.transaction().execute((tx) => guard.during(() => work(tx)))
    begun.add(write)
    try {
      const done = await write
      storage.stored()
      return done
    } finally {
      begun.delete(write)
    }
  }
  return {
    engine: 'postgres' as const,
    read: db,
    snapshot: <T>(work: (tx: Transaction<Tables>) => Promise<T>) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write,
    async writeFor<T>(user: string, lists: readonly string[], work: (tx: Transaction<Tables>) => Promise<T>) {
      const { done, renewed } = await write(async (tx) => ({
        done: await work(tx),
        renewed: await renewRevision(tx, user),
      }))
      others.changes.notify(user, { ...renewed, lists })
      return done
    },
    rowCounts,
    changes: others.changes,
    lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found) {
      const { sql: text } = build(db, (column) => sql<SqlBool>`${sql.ref(column)} = any(${[]})`)
      // Named, so that each connection prepares it once and reuses it. Behind a pooler a connection may get a session
      // that has not prepared it, or one in which another process has.
      const name = isPooled ? undefined : createHash('sha256').update(text).digest('hex').slice(0, 32)
      return lookUpTogether(guard, async (keys) => {
        const { rows } = await queue.query<FoundRow>({ ...(name && { name }), text, values: [keys] })
        return new Map(rows.map((row) => [row.key, take(row)]))
      })
    },
    // The server's own vacuum removes deleted data from its files, which nobody but the server reads.
    erase: write,
    async scrub() {},
    auth: db,
    async ping() {
      // A server that stopped responding keeps its connections open, and a statement would wait for minutes.
      await sql`select 1`.execute(db, { signal: AbortSignal.timeout(connectTimeout) })
    },
    storage,
    close() {
      storage.stop()
      closed ??= Promise.allSettled(begun)
        .then(() => others.close())
        .then(() => queue.end())
      return closed
    },
  }
}

/** On SQLite our own connection counts; here the connection is Kysely's. */
const countingPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const changed = result.numAffectedRows
    const bytes = bytesIn(result.rows)
    // The rows that a write returns are among those that it changed.
    if (changed === undefined) countStatement(result.rows.length, costOfRow('select'), bytes)
    else countStatement(Number(changed), costOfRow('update'), bytes)
    return result
  },
}

function bytesIn(rows: readonly Record<string, unknown>[]): number {
  let bytes = 0
  for (const row of rows) for (const column in row) bytes += lengthOf(row[column])
  return bytes
}

function settingsOf<Settings extends pg.ClientConfig>(settings: Settings) {
  return {
    ...settings,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: 'daymark',
    types: { getTypeParser },
  }
}

function openPool(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(settingsOf(settings))
  // The pool replaces a connection that breaks, and a query on it fails. Without listeners the error would end the
  // process as well: the pool emits it for idle connections, and each connection in use emits its own.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  // A connection that was released before its statement was answered would make its next user wait for that answer.
  pool.on('release', (_, client) => {
    if ('readyForQuery' in client && client.readyForQuery === false) void client.end()
  })
  return pool
}

/** Whether there is a pooler in front of the database. The connection that finds out stays in the pool. */
async function checkAddresses(
  pool: pg.Pool,
  settings: pg.ClientConfig,
  direct: pg.ClientConfig | undefined,
): Promise<boolean> {
  const client = await pool.connect()
  try {
    return await findPooler(client, settings, direct)
  } finally {
    client.release()
  }
}

/** False also while another process may be updating it. */
async function isUpToDate(db: Kysely<Tables>, steps: readonly MigrationStep[]): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const lock = sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock_shared(${sql.lit(migrationLock)}) as taken`
    const { rows } = await lock.execute(tx)
    if (!rows[0]?.taken) return false
    const applied = await appliedMigrations(tx, 'postgres')
    refuseNewer(applied, steps)
    return !isBehind(applied, steps)
  })
}

/** On a connection of its own, since changing a large table, or waiting for another process that does, may take long. */
async function update(
  url: string,
  guard: WriteGuard,
  steps: readonly MigrationStep[],
  report: ReportProgress,
): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: guardedDialect(openPool({ connectionString: url, max: 1 }), guard),
  })
  const progress = updateProgress(report)
  try {
    progress.wait('waiting for another process that updates it')
    const count = await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
      const applied = await appliedMigrations(tx, 'postgres')
      refuseNewer(applied, steps)
      if (!isBehind(applied, steps)) return 0
      return migrate(tx, 'postgres', steps, progress)
    })
    if (count > 0) progress.done(count)
  } finally {
    progress.stop()
    await db.destroy()
  }
}

/** Integers arrive as text, since they can be larger than a number can represent; ours (instants, counts, sums) are not. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  const { INT8, NUMERIC } = pg.types.builtins
  return type === INT8 || type === NUMERIC ? exactNumber : pg.types.getTypeParser(type, format)
}

function exactNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is too large for a number`)
  return number
}

function guardedDialect(pool: PostgresPool, guard: WriteGuard): Dialect {
  return {
    createDriver: () => new GuardedPostgresDriver(pool, guard),
    createAdapter: () => new LockedPostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class GuardedPostgresDriver extends PostgresDriver {
  readonly #guard: WriteGuard

  constructor(pool: PostgresPool, guard: WriteGuard) {
    super({ pool })
    this.#guard = guard
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.refuseInside()
    // The next slice begins with the answer.
    leavingThread()
    return super.acquireConnection()
  }
}

class LockedPostgresAdapter extends PostgresAdapter {
  // The migration's transaction holds a lock that ends with it. Kysely's own lock is held by the session, and releasing
  // it after a failed statement fails too, which hides the cause.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
