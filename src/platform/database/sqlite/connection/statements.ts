import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { costOfRow, countStatement, lengthOf } from '#platform/database/pacing/work.ts'

const preparedStatements = 500
const changesTables = /^\s*(alter|create|drop)\b/i

/** A connection that prepares each statement once. */
export function withPreparedStatements(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      const cached = prepared.get(sql)
      if (cached) return cached
      const statement = prepare(database, sql)
      if (changesTables.test(sql)) {
        // From here on, statements prepared earlier may have other columns.
        prepared.clear()
        return statement
      }
      if (prepared.size >= preparedStatements) prepared.delete(prepared.keys().next().value ?? '')
      prepared.set(sql, statement)
      return statement
    },
    close: () => database.close(),
  }
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const columns = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  const each = costOfRow(sql)
  return {
    reader: columns.length > 0,
    all: (parameters) => {
      const rows: unknown[] = statement.all(...bindable(parameters))
      let bytes = 0
      const answered = rows.map((values) => {
        if (!Array.isArray(values)) throw new TypeError('SQLite answers rows')
        for (const value of values) bytes += lengthOf(value)
        return rowOf(columns, values)
      })
      countStatement(rows.length, each, bytes)
      return answered
    },
    run: (parameters) => {
      const result = statement.run(...bindable(parameters))
      countStatement(Number(result.changes), each)
      return result
    },
    // A separate statement, because a statement that is being iterated cannot run again.
    iterate: (parameters) => database.prepare(sql).iterate(...bindable(parameters)),
  }
}

/**
 * Gives all rows the same object shape. Node's own rows have no common shape, and take two to three times as long to copy and
 * read.
 */
function rowOf(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  columns.forEach((column, place) => {
    row[column] = values[place]
  })
  return row
}

function bindable(parameters: readonly unknown[]): readonly SQLInputValue[] {
  if (parameters.every(isBindable)) return parameters
  throw new TypeError('SQLite stores text, numbers, bytes and null only')
}

function isBindable(value: unknown): value is SQLInputValue {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Uint8Array
  )
}
