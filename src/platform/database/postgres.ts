import { createHash } from 'node:crypto'
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { DatabaseRefusal } from './database-refusal.ts'
import { type FoundRow, type LookUp, lookUpTogether } from './look-up.ts'
import { appliedMigrations, migrate, refuseNewer } from './migrate.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { postgresChanges } from './postgres-changes.ts'
import { chainedRevisionRenewal } from './revision.ts'
import type { Tables } from './tables.ts'
import { createWriteGuard, type WriteGuard } from './write-guard.ts'

const connectTimeout = 5_000
// Longer than any statement of ours takes. A server that stopped answering is otherwise waited for until its connections
// break, which they do after a quarter of an hour.
const answerTimeout = 15_000
// Any number, as long as every version of this program takes the same one.
const migrationLock = 4_914_202_611

export async function openPostgres(url: string, steps: readonly MigrationStep[]) {
  const guard = createWriteGuard()
  // Apart from the rest, since the change of a large table, and waiting for another process that makes it, may take long.
  const migrating = new Kysely<unknown>({
    dialect: guardedDialect(openPool({ connectionString: url, max: 1 }), guard),
  })
  try {
    await migrateDatabase(migrating, steps)
  } catch (error) {
    if (error instanceof DatabaseRefusal) throw error
    throw new DatabaseRefusal(`The PostgreSQL database cannot be opened: ${reasonOf(error)}`, {
      cause: error,
    })
  } finally {
    await migrating.destroy()
  }
  const pool = openPool({ connectionString: url, query_timeout: answerTimeout })
  const db = new Kysely<Tables>({ dialect: guardedDialect(pool, guard) })
  const renewRevision = chainedRevisionRenewal(db)
  const others = postgresChanges(settingsOf({ connectionString: url, query_timeout: answerTimeout }))
  const begun = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  async function write<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    if (closed) throw new Error('The database is closed')
    const write = db.transaction().execute((tx) => guard.during(() => work(tx)))
    begun.add(write)
    try {
      return await write
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
      others.changes.tell(user, { ...renewed, lists })
      return done
    },
    changes: others.changes,
    lookUp<Found>(build: LookUp, take: (row: FoundRow) => Found) {
      const { sql: text } = build(db, (column) => sql<SqlBool>`${sql.ref(column)} = any(${[]})`)
      // By its name a connection prepares it once, and finds it again.
      const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
      return lookUpTogether(guard, async (keys) => {
        const { rows } = await pool.query<FoundRow>({ name, text, values: [keys] })
        return new Map(rows.map((row) => [row.key, take(row)]))
      })
    },
    // The server's own vacuum takes what was deleted out of its files; nobody but the server reads those.
    erase: write,
    async scrub() {},
    auth: db,
    async ping() {
      // A server that stopped answering keeps its connections open, and a statement would wait for minutes.
      await sql`select 1`.execute(db, { signal: AbortSignal.timeout(connectTimeout) })
    },
    close() {
      closed ??= Promise.allSettled(begun)
        .then(() => others.close())
        .then(() => pool.end())
      return closed
    },
  }
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
  // A connection that breaks is replaced by the pool, and a query on it fails. Unheard, it would end the process as well:
  // the pool says it of those that nobody uses, and each of those in use by itself.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  // Given back before its statement was answered: the next user would wait behind that one.
  pool.on('release', (_, client) => {
    if ('readyForQuery' in client && client.readyForQuery === false) void client.end()
  })
  return pool
}

async function migrateDatabase(db: Kysely<unknown>, steps: readonly MigrationStep[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
    const applied = await appliedMigrations(tx)
    refuseNewer(applied, steps)
    if (applied.length < steps.length) await migrate(tx, 'postgres', steps)
  })
}

/** Whole numbers arrive as text, since they can be larger than a number holds; ours (instants, counts, sums) are not. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  const { INT8, NUMERIC } = pg.types.builtins
  return type === INT8 || type === NUMERIC ? exactNumber : pg.types.getTypeParser(type, format)
}

function exactNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is too large for a number`)
  return number
}

/** A refused connection to several addresses has its reasons inside, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}

function guardedDialect(pool: pg.Pool, guard: WriteGuard): Dialect {
  return {
    createDriver: () => new GuardedPostgresDriver(pool, guard),
    createAdapter: () => new LockedPostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class GuardedPostgresDriver extends PostgresDriver {
  readonly #guard: WriteGuard

  constructor(pool: pg.Pool, guard: WriteGuard) {
    super({ pool })
    this.#guard = guard
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.refuseInside()
    return super.acquireConnection()
  }
}

class LockedPostgresAdapter extends PostgresAdapter {
  // The migration's transaction holds a lock that ends with it. Kysely's own is held by the session, and giving it back
  // after a failed statement fails too, which hides why.
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
