import { type Kysely, sql } from 'kysely'
import type { Engine } from './migration-step.ts'

// Helpers for migration steps that repair a database. Databases that ran the same migrations can differ, because some migrations
// were edited after they had landed. Like the steps that use it, this file must never change: a later step brings its own
// helpers.

export async function hasIndex(db: Kysely<unknown>, engine: Engine, index: string): Promise<boolean> {
  const found = await (engine === 'sqlite'
    ? sql`select name from sqlite_master where type = 'index' and name = ${index}`
    : sql`select indexname from pg_indexes where schemaname = current_schema() and indexname = ${index}`
  ).execute(db)
  return found.rows.length > 0
}

export async function hasColumn(
  db: Kysely<unknown>,
  engine: Engine,
  table: string,
  column: string,
): Promise<boolean> {
  const found = await (engine === 'sqlite'
    ? sql`select name from pragma_table_info(${table}) where name = ${column}`
    : sql`select column_name from information_schema.columns
          where table_schema = current_schema() and table_name = ${table} and column_name = ${column}`
  ).execute(db)
  return found.rows.length > 0
}

/** The statement that created a SQLite table. */
export async function madeBy(db: Kysely<unknown>, table: string): Promise<string> {
  const found = await sql<{ sql: string }>`
    select sql from sqlite_master where type = 'table' and name = ${table}`.execute(db)
  const statement = found.rows[0]?.sql
  if (statement === undefined) throw new Error(`there is no table ${table}`)
  return statement
}

/** Rebuilds a SQLite table with its rows. `statement` must create the same columns. The table must have no indexes of its own. */
export async function remake(db: Kysely<unknown>, table: string, statement: string): Promise<void> {
  const before = sql.table(`${table}_before`)
  await sql`alter table ${sql.table(table)} rename to ${before}`.execute(db)
  await sql.raw(statement).execute(db)
  await sql`insert into ${sql.table(table)} select * from ${before}`.execute(db)
  await sql`drop table ${before}`.execute(db)
}
