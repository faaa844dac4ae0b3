import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { type Contents, endedByRestoring } from './contents.ts'
import { DatabaseRefusal } from './database-refusal.ts'
import { appliedMigrations } from './migrate.ts'
import { findDamage, flush } from './sqlite-copy.ts'
import { SqliteThread, threadDialect } from './sqlite-thread.ts'

const busy = 5

/** How large a copy of the file would be, which leaves out what is free in it. */
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
 * Copies what is committed at one moment into a new file, whoever writes meanwhile, and makes it durable. SQLite's backup
 * would begin anew with every commit of another process, and end when nobody writes any more.
 */
export async function copySqlite(path: string, copy: string): Promise<void> {
  // As private as the database: it holds the same.
  closeSync(openSync(copy, 'wx', 0o600))
  const original = new SqliteThread({ path, readOnly: true })
  try {
    await original.run('vacuum into ?', [copy])
  } finally {
    await original.close()
  }
  flush(copy)
}

/** Opens a file, looks at all of it, and counts. Throws a DatabaseRefusal for one that is damaged or no database of ours. */
export async function inspectSqlite(path: string): Promise<Contents> {
  const file = new SqliteThread({ path, readOnly: true })
  const db = new Kysely<unknown>({ dialect: threadDialect(file) })
  try {
    const damage = await findDamage(path)
    if (damage !== undefined) throw new DatabaseRefusal(`${path} is damaged: ${damage}`)
    const broken = await sql`pragma foreign_key_check`.execute(db)
    if (broken.rows.length > 0)
      throw new DatabaseRefusal(`${path} is damaged: rows name others that are missing`)
    return await contentsOf(db, path)
  } catch (error) {
    if (error instanceof DatabaseRefusal) throw error
    throw new DatabaseRefusal(
      `${path} cannot be read as a database: ${error instanceof Error ? error.message : error}`,
    )
  } finally {
    await db.destroy()
    await file.close()
  }
}

/** Counts without looking for damage. Throws what SQLite throws. */
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
  const migration = (await appliedMigrations(db)).at(-1)
  if (migration === undefined) throw new DatabaseRefusal(`${path} is no database of Daymark`)
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

/** Ends in a copy what must not come back with it. */
export async function endLinksInSqlite(path: string, { rows }: Contents): Promise<void> {
  const file = new SqliteThread({ path })
  try {
    for (const table of endedByRestoring) if (table in rows) await file.run(`delete from "${table}"`)
  } finally {
    await file.close()
  }
  flush(path)
}

/**
 * Makes a file whole by itself, with nothing left in the `-wal` beside it. False while another program has it open: SQLite
 * lets only the last one who has do this.
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
