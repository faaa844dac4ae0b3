import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from './tables.ts'

// One parameter holds all values, so that the statement is the same for any number of them, and compiled and prepared once.

/** The condition that a column has one of the values in a parameter that `listOf` made. */
export function isAmong(db: Kysely<Tables>, column: string, list: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return isPostgres(db)
    ? sql<SqlBool>`${sql.ref(column)} = any(${list})`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${list}))`
}

/** The parameter for `isAmong`. */
export function listOf(db: Kysely<Tables>, values: readonly string[]): string | readonly string[] {
  return isPostgres(db) ? values : JSON.stringify(values)
}

function isPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
