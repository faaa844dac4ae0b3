import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { appliedMigrations } from '#platform/database/schema/migrate.ts'
import { type Contents, tablesNotRestored } from '#platform/database/storage/contents.ts'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { SqliteThread, threadDialect } from '../connection/thread.ts'
import { findDamage, flush } from './copy.ts'

const busy = 5

/** The size in bytes that a copy of the file would have; free pages are not copied. */
export async function sizeOfCopy(path: string): Promise<number> {
  const file = new SqliteThread({ path, readOnly: true })
  try {
    const { rows } = await file.run<{ bytes: number }>(
      `select (page_count - freelist_count) * page_size as bytes
       from pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    return rows[0]?.bytes ?? 0
  } finally {
    await file.close()
  }
}

/**
 * Copies everything committed at one moment into a new file, even while others write, and flushes it to disk. SQLite's backup API
 * would restart with every commit of another process, and finish only once nobody writes any more.
 */
export async function copySqlite(path: string, copy: string): Promise<void> {
  // Only the owner may read the copy, since it holds the same data as the database.
  closeSync(openSync(copy, 'wx', 0o600))
  const original = new SqliteThread({ path, readOnly: true })
  try {
    await original.run('vacuum into ?', [copy])
  } finally {
    await original.close()
  }
  flush(copy)
}

/** Checks a whole file and counts its rows. Throws a DatabaseError if it is damaged or not our database. */
export async function inspectSqlite(path: string): Promise<Contents> {
  const file = new SqliteThread({ path, readOnly: true })
  const db = new Kysely<unknown>({ dialect: threadDialect(file) })
  try {
    const damage = await findDamage(path)
    if (damage !== undefined) throw new DatabaseError(`${path} is damaged: ${damage}`)
    const broken = await sql`pragma foreign_key_check`.execute(db)
    if (broken.rows.length > 0)
      throw new DatabaseError(`${path} is damaged: rows name others that are missing`)
    return await contentsOf(db, path)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    throw new DatabaseError(
      `${path} cannot be read as a database: ${error instanceof Error ? error.message : error}`,
    )
  } finally {
    await db.destroy()
    await file.close()
  }
}

/** Counts rows without checking for damage. Throws SQLite's own errors. */
export async function countSqlite(path: string): Promise<Contents> {
  const file = new SqliteThread({ path, readOnly: true })
  const db = new Kysely<unknown>({ dialect: threadDialect(file) })
  try {
    return await contentsOf(db, path)
  } finally {
    await db.destroy()
    await file.close()
  }
}

async function contentsOf(db: Kysely<unknown>, path: string): Promise<Contents> {
  const migration = (await appliedMigrations(db, 'sqlite')).at(-1)
  if (migration === undefined) throw new DatabaseError(`${path} is no database of Daymark`)
  const tables = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`.execute(
    db,
  )
  const rows: Contents['rows'] = {}
  for (const { name } of tables.rows) {
    const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(db)
    rows[name] = counted.rows[0]?.rows ?? 0
  }
  return { migration, rows }
}

/** Removes from a copy the rows that must not come back with a restore. */
export async function deleteLinksInSqlite(path: string, { rows }: Contents): Promise<void> {
  const file = new SqliteThread({ path })
  try {
    for (const table of tablesNotRestored) if (table in rows) await file.run(`delete from "${table}"`)
  } finally {
    await file.close()
  }
  flush(path)
}

/**
 * Moves everything from the `-wal` file into the database file, so that the database file is complete by itself. Returns false
 * while another program has the file open: SQLite allows this only to the last connection.
 */
export function foldIntoOneFile(path: string): boolean {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('pragma journal_mode = delete')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return false
    throw error
  } finally {
    file.close()
  }
}
