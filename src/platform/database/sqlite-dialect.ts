import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import type { WriteGuard } from './write-guard.ts'

const preparedStatements = 500
const changesTables = /^\s*(alter|create|drop)\b/i

/** The statements that begin and end a transaction that succeeds. */
interface Bounds {
  begin: string
  commit: string
}

export const forReading: Bounds = { begin: 'begin', commit: 'commit' }
export const forWriting: Bounds = { begin: 'begin immediate', commit: 'commit' }

/**
 * One connection of `node:sqlite` whose users take turns, in the order in which they came: a statement, or a whole
 * transaction, is finished before the next begins. Interleaved on one connection they would undo each other.
 */
export function nodeSqliteDialect(database: DatabaseSync, bounds: Bounds, guard: WriteGuard): Dialect {
  return {
    createDriver: () => new TakingTurns(database, bounds, guard),
    createAdapter: () => new NodeSqliteAdapter(),
    createQueryCompiler: () => new NodeSqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  // Turns are ours: Kysely's own for SQLite wakes every waiter at once and lets a newcomer pass them.
  override get supportsMultipleConnections() {
    return true
  }

  override get supportsTransactionalDdl() {
    return true
  }
}

const impliedByWrite = new Set<unknown>(['ForUpdate', 'ForKeyShare', 'SkipLocked'])

class NodeSqliteQueryCompiler extends SqliteQueryCompiler {
  // A row that is read inside a write stays as it is until the write ends, with nothing to be said for it; and none is
  // ever held by somebody else.
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!impliedByWrite.has(node.modifier)) super.visitSelectModifier(node)
  }
}

class TakingTurns extends SqliteDriver {
  readonly #database: DatabaseSync
  readonly #bounds: Bounds
  readonly #guard: WriteGuard
  #lastTurn: Promise<void> = Promise.resolve()
  #endTurn: () => void = () => {}

  constructor(database: DatabaseSync, bounds: Bounds, guard: WriteGuard) {
    super({ database: withPreparedStatements(database) })
    this.#database = database
    this.#bounds = bounds
    this.#guard = guard
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.refuseInside()
    await this.#turn()
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurn()
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#bounds.begin))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#bounds.commit))
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has already rolled back by itself after some errors, such as a full disk.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  override async destroy(): Promise<void> {
    await this.#turn()
    await super.destroy()
  }

  async #turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const turnBefore = this.#lastTurn
    this.#lastTurn = promise
    await turnBefore
    this.#endTurn = resolve
  }
}

function withPreparedStatements(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      const known = prepared.get(sql)
      if (known) return known
      const statement = prepare(database, sql)
      if (changesTables.test(sql)) {
        // What was prepared before may have other columns from here on.
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
  return {
    reader: columns.length > 0,
    all: (parameters) => {
      const rows: unknown[] = statement.all(...bindable(parameters))
      return rows.map((values) => rowOf(columns, values))
    },
    run: (parameters) => statement.run(...bindable(parameters)),
    // A statement of its own: one that is being walked through must not be run again by someone else.
    iterate: (parameters) => database.prepare(sql).iterate(...bindable(parameters)),
  }
}

/** All of the same shape, which Node's own are not: they cost two to three times as much to copy and to read. */
function rowOf(columns: readonly string[], values: unknown): Record<string, unknown> {
  if (!Array.isArray(values)) throw new TypeError('SQLite answers rows')
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
