import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '../database.ts'
import { countFutureRows, type FutureRows } from '../instants/count-future-rows.ts'
import type { MergedTable } from '../row-kind.ts'
import { appliedMigrations, refuseUnknown } from '../schema/migrate.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import { forReading, nodeSqliteDialect } from '../sqlite/connection/dialect.ts'
import { readMigrations } from '../sqlite/file/update.ts'
import { DatabaseError } from '../storage/database-error.ts'
import type { Tables } from '../tables.ts'
import { createWriteGuard } from '../write-guard.ts'

// Inspects a database from outside without changing or creating anything, for the operator's program while the server runs.

const patience = 5_000

export interface Inspection {
  /** How many migrations the database lacks. */
  behind: number
  /** The first damage found in the SQLite file. Undefined for PostgreSQL, which checks its own files. */
  damage: string | undefined
  /** The time by the database's clock; for SQLite, the machine's. */
  now: Instant
}

/** The path of the file in `sqlite:<path>`; undefined for PostgreSQL. */
export function sqliteFile(url: string): string | undefined {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  return path === undefined ? undefined : resolve(path)
}

/** How many migrations are missing. Throws a DatabaseError if there is no database, or if it is newer or not ours. */
export async function countPendingSteps(url: string, steps: readonly MigrationStep[]): Promise<number> {
  const file = sqliteFile(url)
  const applied = await (file === undefined
    ? ofPostgres(url, (db) => appliedMigrations(db, 'postgres'))
    : ofFile(file, steps))
  refuseUnknown(applied, steps)
  return steps.filter(({ name }) => !applied.includes(name)).length
}

async function ofFile(file: string, steps: readonly MigrationStep[]): Promise<string[]> {
  if (!existsSync(file)) throw new DatabaseError(`There is no database ${file}`)
  return readMigrations(file, steps)
}

/** Throws a DatabaseError like `countPendingSteps`, and any error of the database if it cannot be read. */
export async function inspectDatabase(url: string, steps: readonly MigrationStep[]): Promise<Inspection> {
  const behind = await countPendingSteps(url, steps)
  const file = sqliteFile(url)
  if (file !== undefined) return { behind, damage: damageOf(file), now: Date.now() }
  const now = await ofPostgres(url, async (db) => {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    return rows[0]?.now.getTime() ?? Date.now()
  })
  return { behind, damage: undefined, now }
}

function damageOf(file: string): string | undefined {
  const database = new DatabaseSync(file, { readOnly: true, timeout: patience })
  try {
    const [verdict] = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})
    return verdict === 'ok' ? undefined : String(verdict).replace(/\s+/g, ' ')
  } finally {
    database.close()
  }
}

/** Counts the rows that were changed while a clock was ahead. If `signal` aborts, only part of them are counted. */
export async function inspectFutureRows(
  url: string,
  tables: readonly MergedTable[],
  now: Instant,
  signal: AbortSignal,
): Promise<FutureRows> {
  const count = (db: Kysely<Tables>) => countFutureRows(db, tables, now, { signal, rest: 0 })
  const file = sqliteFile(url)
  if (file === undefined) return ofPostgres(url, count)
  const database = new DatabaseSync(file, { readOnly: true, timeout: patience })
  try {
    const dialect = nodeSqliteDialect(database, forReading, createWriteGuard())
    return await count(new Kysely<Tables>({ dialect }))
  } finally {
    database.close()
  }
}

async function ofPostgres<T, DB = unknown>(url: string, query: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  const settings = { connectionTimeoutMillis: patience, query_timeout: patience }
  const pool = new pg.Pool({ connectionString: url, max: 1, ...settings })
  pool.on('error', () => {})
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  try {
    return await query(db)
  } finally {
    await db.destroy()
  }
}

export interface Sizes {
  /** The total in bytes, including data that SQLite has not yet moved from its log into its file. */
  bytes: number
  /** How many of those bytes are unused; undefined for PostgreSQL. */
  free: number | undefined
  tables: { name: string; rows: number }[]
}

export async function sizesOf(url: string, { engine, read }: Database): Promise<Sizes> {
  const tables = []
  for (const { name } of await read.introspection.getTables()) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(
      read,
    )
    tables.push({ name, rows: Number(rows[0]?.rows ?? 0) })
  }
  tables.sort((a, b) => b.rows - a.rows || a.name.localeCompare(b.name))
  if (engine === 'postgres') {
    const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    return { bytes: Number((await size.execute(read)).rows[0]?.bytes ?? 0), free: undefined, tables }
  }
  const pragma = async (name: 'freelist_count' | 'page_size') => {
    const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(read)
    return rows[0]?.[name] ?? 0
  }
  const free = (await pragma('freelist_count')) * (await pragma('page_size'))
  const file = sqliteFile(url) ?? ''
  const bytes = [file, `${file}-wal`].reduce((sum, path) => sum + bytesOf(path), 0)
  return { bytes, free, tables }
}

// Only reads the size: opening and closing a SQLite file by other means would drop the locks that this process holds on it.
function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
