import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { type FoundRow, type LookUp, lookUpTogether } from '../look-up.ts'
import { costOfRow, countStatement, lengthOf } from '../pacing/work.ts'
import { chainedRevisionRenewal } from '../revision.ts'
import { loggedRows } from '../revisions/change-log.ts'
import { changedRowsOf, numberOfRows } from '../revisions/changed-rows.ts'
import type { RowCounts } from '../row-limits.ts'
import { appliedMigrations, isBehind, migrate, refuseUnknown } from '../schema/migrate.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { onlyAdds } from '../schema/only-adds.ts'
import { type SchemaState, SchemaWatch } from '../schema/schema-watch.ts'
import { type ReportProgress, type UpdateProgress, updateProgress } from '../schema/update-progress.ts'
import { DatabaseError, NewerDatabaseError, reasonOf } from '../storage/database-error.ts'
import { onFailure, StorageMonitor } from '../storage/storage.ts'
import type { Tables } from '../tables.ts'
import { createWriteGuard, type WriteGuard } from '../write-guard.ts'
import { postgresChanges } from './changes.ts'
import { statementName } from './connection.ts'
import { GuardedPostgresDriver } from './driver.ts'
import { Fence, tablesLock } from './fence.ts'
import { findPooler } from './pooler.ts'
import { type ColumnsOf, NamingQueryCompiler } from './query-compiler.ts'
import { PostgresQueue } from './queue.ts'
import { getTypeParser } from './row-shape.ts'
import { transactionRunners } from './transaction.ts'

const connectTimeout = 5_000
// Milliseconds to wait for the response to a statement; longer than any of our statements takes. Without this limit, we would
// wait for an unresponsive server until the connections break, which takes a quarter of an hour.
const longestResponse = 15_000
/** The part of this limit after which the server itself gives up a statement of a write. */
const serverGivesUp = 0.9
// The number is arbitrary, but the same in every version of this program.
/** Key of the advisory lock that a process holds while it updates the tables. */
const migrationLock = 4_914_202_611
/** Channel that is notified when the tables have been changed. */
const schemaChannel = 'daymark_schema'
// Milliseconds for which an update waits for a table that is in use, for instance by a backup. Everyone else who wants the table
// queues behind the update, so it then lets them pass and tries again later. `adding` is shorter than PostgreSQL's
// `deadlock_timeout`, so that a deadlock is never resolved by aborting somebody's write.
const longestWait = { adding: 800, changing: 5_000 }
/** Milliseconds before an update is tried again, and after which it is given up. */
const triedAgainAfter = 2_000
const longestTrying = 600_000

interface Addresses {
  url: string
  /** The address of the same database without the pooler; undefined to use `url` for everything. */
  directUrl: string | undefined
  /** The most connections, besides the one that receives other processes' changes. */
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
    // The server does not tell how much space its disk has left.
    freeBytes: () => undefined,
    // This finds out whether the disk takes writes: PostgreSQL rewrites an updated row even if its values stay the same.
    tryStoring: () => sql`update kysely_migration_lock set is_locked = is_locked`.execute(db),
  })
  const fence = new Fence(steps)
  const driver = new GuardedPostgresDriver(queue, guard, fence, Math.ceil(responseTimeout * serverGivesUp))
  const columns = new Map<string, string[]>()
  const dialect = dialectOf(driver, (table) => columns.get(table))
  const db = new Kysely<Tables>({
    dialect,
    plugins: [countingPlugin],
    log: onFailure((error) => storage.failed(error)),
  })
  let isPooled: boolean
  try {
    isPooled = await checkAddresses(pool, settings, direct)
    fence.isPooled = isPooled
    if (!(await isUpToDate(db, steps))) await update(directUrl ?? url, guard, steps, report)
    for (const { name, column } of await readColumns(db))
      columns.set(name, [...(columns.get(name) ?? []), column])
  } catch (error) {
    storage.stop()
    // On a dead connection, waiting for a clean close would take forever.
    void queue.end()
    if (error instanceof DatabaseError) throw error
    throw new DatabaseError(`The PostgreSQL database cannot be opened: ${reasonOf(error)}`, {
      cause: error,
    })
  }
  const { runTransaction, readTogether, snapshot } = transactionRunners(db, dialect, driver, countResult)
  const renewalFor = chainedRevisionRenewal(db)
  const schema = new SchemaWatch(() => schemaStateOf(db, steps))
  fence.onMoved = (state) => schema.saw(state)
  const others = postgresChanges(direct ?? settings, {
    channel: schemaChannel,
    receive: () => void schema.check().catch(() => {}),
  })
  const begun = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  async function write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    const { done } = await writeEndingWith(work, () => [])
    return done
  }

  /** `last`: the last statements, sent together with the commit. Returned are the rows of the very last. */
  async function writeEndingWith<T, Last>(
    work: (tx: Transaction<Tables>) => Promise<T>,
    last: (tx: Transaction<Tables>) => readonly CompiledQuery<Last>[],
  ) {
    if (closed) throw new Error('The database is closed')
    const write = runTransaction((tx) => guard.during(() => work(tx)), last)
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
    readTogether,
    snapshot,
    write,
    async writeFor<T>(
      user: string,
      collections: readonly string[],
      work: (tx: Transaction<Tables>) => Promise<T>,
    ) {
      let renewal: ReturnType<typeof renewalFor> | undefined
      let rows: number | undefined
      const { done, last } = await writeEndingWith(work, (tx) => {
        const changed = changedRowsOf(tx, collections)
        rows = numberOfRows(changed)
        renewal = renewalFor(user, { rows: loggedRows(changed), changedAt: Date.now() })
        return renewal.queries
      })
      const renewed = renewal?.changeIn(last)
      others.changes.notify(user, renewed && { ...renewed, collections, rows })
      return done
    },
    rowCounts,
    changes: others.changes,
    lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found) {
      const { sql: text } = build(db, (column) => sql<SqlBool>`${sql.ref(column)} = any(${[]})`)
      // A name lets each connection prepare the statement once. Behind a pooler there is no name: the session may lack the
      // statement, or another process may have prepared it there.
      const name = isPooled ? undefined : statementName(text)
      return lookUpTogether(guard, async (keys) => {
        const { rows } = await queue.query<FoundRow>({ ...(name && { name }), text, values: [keys] })
        return new Map(rows.map((row) => [row.key, take(row)]))
      })
    },
    // Nothing to scrub: the server's own vacuum removes deleted data from its files, which only the server reads.
    erase: write,
    async scrub() {},
    auth: db,
    async ping() {
      // Without a timeout, the statement would wait for minutes, because an unresponsive server keeps its connections open.
      await sql`select 1`.execute(db, { signal: AbortSignal.timeout(connectTimeout) })
    },
    storage,
    schema,
    close() {
      storage.stop()
      schema.stop()
      closed ??= Promise.allSettled(begun)
        .then(() => others.close())
        .then(() => queue.end())
      return closed
    },
  }
}

/**
 * Counts the rows and bytes of each statement towards the work of the request. (On SQLite our own connection counts them; here
 * the connection is Kysely's.)
 */
const countingPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    return countResult(result)
  },
}

function countResult<Row>(result: QueryResult<Row>): QueryResult<Row> {
  const changed = result.numAffectedRows
  const bytes = bytesIn(result.rows)
  // Rows that a write returns are among those it changed, so they are not counted twice.
  if (changed === undefined) countStatement(result.rows.length, costOfRow('select'), bytes)
  else countStatement(Number(changed), costOfRow('update'), bytes)
  return result
}

function bytesIn(rows: readonly unknown[]): number {
  let bytes = 0
  for (const row of rows) for (const value of Object.values(row ?? {})) bytes += lengthOf(value)
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
  // `pipeline`: a statement is sent at once, not only when the one before it on its connection has been answered.
  const pool = new pg.Pool({ ...settingsOf(settings), pipeline: true })
  // The pool replaces a broken connection, and a query on it fails. Without listeners the error would also end the process: the
  // pool emits it for idle connections, and each connection in use emits its own.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  // A connection that was released before its statement got a response would make its next user wait for that response.
  pool.on('release', (_, client) => {
    if ('readyForQuery' in client && client.readyForQuery === false) void client.end()
  })
  return pool
}

/** Whether there is a pooler in front of the database. The connection used to check stays in the pool. */
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

/** Whether the tables are up to date. Also false while another process may be updating them. */
async function isUpToDate(db: Kysely<Tables>, steps: readonly MigrationStep[]): Promise<boolean> {
  // Read only, because the fence would check a transaction that writes, and the tables that the fence reads may not exist yet.
  const reading = db.transaction().setAccessMode('read only')
  return reading.execute(async (tx) => {
    const lock = sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock_shared(${sql.lit(migrationLock)}) as taken`
    const { rows } = await lock.execute(tx)
    if (!rows[0]?.taken) return false
    const applied = await appliedMigrations(tx, 'postgres')
    refuseUnknown(applied, steps)
    return !isBehind(applied, steps)
  })
}

async function schemaStateOf(db: Kysely<Tables>, steps: readonly MigrationStep[]): Promise<SchemaState> {
  const reading = db.transaction().setIsolationLevel('read committed').setAccessMode('read only')
  return reading.execute(async (tx) => {
    // Take the lock first: the migration names read afterwards then include those of an update that just released it.
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock_shared(${sql.lit(tablesLock)}) as free`.execute(tx)
    try {
      refuseUnknown(await appliedMigrations(tx, 'postgres'), steps)
    } catch (error) {
      if (error instanceof NewerDatabaseError) return 'newer'
      throw error
    }
    return rows[0]?.free ? 'current' : 'updating'
  })
}

/**
 * Updates the tables on a separate connection, because changing a large table, or waiting for another process that does, may take
 * long.
 */
async function update(
  url: string,
  guard: WriteGuard,
  steps: readonly MigrationStep[],
  report: ReportProgress,
): Promise<void> {
  const db = new Kysely<unknown>({
    dialect: dialectOf(new GuardedPostgresDriver(openPool({ connectionString: url, max: 1 }), guard)),
  })
  const progress = updateProgress(report)
  const until = performance.now() + longestTrying
  try {
    progress.wait('waiting for another process that updates it')
    for (;;) {
      try {
        const count = await db.transaction().execute((tx) => updateOnce(tx, steps, progress))
        if (count > 0) progress.done(count)
        return
      } catch (error) {
        if (!isTableInUse(error)) throw error
        if (performance.now() > until)
          throw new DatabaseError(
            `The PostgreSQL database cannot be updated: for ten minutes, a table was in use, perhaps by a backup (${reasonOf(error)})`,
          )
      }
      progress.wait('waiting for a table that is in use, perhaps by a backup')
      await pause(triedAgainAfter)
    }
  } finally {
    progress.stop()
    await db.destroy()
  }
}

async function updateOnce(
  tx: Transaction<unknown>,
  steps: readonly MigrationStep[],
  progress: UpdateProgress,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
  const applied = await appliedMigrations(tx, 'postgres')
  refuseUnknown(applied, steps)
  if (!isBehind(applied, steps)) return 0
  const isAddition = steps.every(({ name }) => applied.includes(name) || onlyAdds(name))
  if (!isAddition) await sql`select pg_advisory_xact_lock(${sql.lit(tablesLock)})`.execute(tx)
  await sql`set local lock_timeout = ${sql.lit(isAddition ? longestWait.adding : longestWait.changing)}`.execute(
    tx,
  )
  const count = await migrate(tx, 'postgres', steps, progress)
  // The notification is delivered when this transaction commits.
  await sql`select pg_notify(${schemaChannel}, '')`.execute(tx)
  return count
}

/** The error codes of lock_not_available and deadlock_detected. */
function isTableInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')
}

/** The columns of all tables, in their order. */
async function readColumns(db: Kysely<Tables>): Promise<{ name: string; column: string }[]> {
  const { rows } = await sql<{ name: string; column: string }>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = current_schema() order by ordinal_position`.execute(db)
  return rows
}

function dialectOf(driver: GuardedPostgresDriver, columnsOf: ColumnsOf = () => undefined): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new LockedPostgresAdapter(),
    createQueryCompiler: () => new NamingQueryCompiler(columnsOf),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class LockedPostgresAdapter extends PostgresAdapter {
  // The migration's transaction holds a lock that ends with it. Kysely's own lock belongs to the session, and after a failed
  // statement releasing it fails too, which hides the cause.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
