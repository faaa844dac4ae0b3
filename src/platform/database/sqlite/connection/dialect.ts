import type { DatabaseSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { WriteGuard } from '#platform/database/write-guard.ts'
import { retryWhileLocked } from './retry-while-locked.ts'
import { withPreparedStatements } from './statements.ts'

/** The statements that begin and commit a transaction. */
interface Bounds {
  begin: string
  commit: string
}

export const forReading: Bounds = { begin: 'begin', commit: 'commit' }
export const forWriting: Bounds = { begin: 'begin immediate', commit: 'commit' }

/** Conditions that the file must meet for a write to be kept. Each check throws if its condition is not met. */
export interface WritingRules {
  /** Called whenever somebody asks for the connection. */
  onRequest(): void
  ensureWritable(): void
  ensureKept(): void
  /** Called once a transaction has begun, when nobody else can change the tables any more. */
  ensureKnown(): void
}

/**
 * One connection of `node:sqlite` that its users share in order of arrival: a statement, or a whole transaction, finishes before
 * the next begins. If they interleaved on one connection, one user's rollback would undo another's changes.
 */
export function nodeSqliteDialect(
  database: DatabaseSync,
  bounds: Bounds,
  guard: WriteGuard,
  rules?: WritingRules,
): Dialect {
  return sqliteDialect(() => new SerialDriver(database, bounds, guard, rules))
}

export function sqliteDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createAdapter: () => new NodeSqliteAdapter(),
    createQueryCompiler: () => new NodeSqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  // We queue callers ourselves: Kysely's own queue for SQLite wakes every waiter at once, and a newcomer can overtake them.
  override get supportsMultipleConnections() {
    return true
  }

  override get supportsTransactionalDdl() {
    return true
  }
}

const impliedByWrite = new Set<unknown>([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'SkipLocked',
])

class NodeSqliteQueryCompiler extends SqliteQueryCompiler {
  // SQLite needs no lock clause: a row read inside a write stays unchanged until the write ends, and nobody else ever holds a row
  // lock.
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!impliedByWrite.has(node.modifier)) super.visitSelectModifier(node)
  }
}

class SerialDriver extends SqliteDriver {
  readonly #database: DatabaseSync
  readonly #bounds: Bounds
  readonly #guard: WriteGuard
  readonly #rules: WritingRules | undefined
  #connection: DatabaseConnection | undefined
  #lastTurn: Promise<void> = Promise.resolve()
  #endTurn: () => void = () => {}

  constructor(database: DatabaseSync, bounds: Bounds, guard: WriteGuard, rules: WritingRules | undefined) {
    super({ database: withPreparedStatements(database) })
    this.#database = database
    this.#bounds = bounds
    this.#guard = guard
    this.#rules = rules
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#guard.refuseInside()
    this.#rules?.onRequest()
    await this.#waitForTurn()
    this.#connection ??= await this.#connect()
    return this.#connection
  }

  async #connect(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    return this.#rules ? new WritingConnection(connection, this.#database, this.#rules) : connection
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
    // After some errors, such as a full disk, SQLite has already rolled back by itself.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  override async destroy(): Promise<void> {
    await this.#waitForTurn()
    await super.destroy()
  }

  async #waitForTurn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const turnBefore = this.#lastTurn
    this.#lastTurn = promise
    await turnBefore
    this.#endTurn = resolve
  }
}

const writing = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

/** A connection that waits for other programs before it writes, and enforces the `WritingRules`. */
class WritingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #database: DatabaseSync
  readonly #rules: WritingRules

  constructor(connection: DatabaseConnection, database: DatabaseSync, rules: WritingRules) {
    this.#connection = connection
    this.#database = database
    this.#rules = rules
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind === 'SelectQueryNode') return this.#connection.executeQuery<R>(query)
    if (this.#database.isTransaction) return this.#run<R>(query)
    this.#rules.ensureWritable()
    if (query.sql === forWriting.begin) return this.#begin<R>()
    if (!writing.has(query.query.kind)) return retryWhileLocked(() => this.#run<R>(query))
    // In a transaction, so that the tables cannot change between the check and the statement.
    await this.#begin()
    try {
      const result = await this.#connection.executeQuery<R>(query)
      await this.#run(CompiledQuery.raw(forWriting.commit))
      return result
    } catch (error) {
      this.#undo()
      throw error
    }
  }

  async #begin<R>(): Promise<QueryResult<R>> {
    const begun = await retryWhileLocked(() =>
      this.#connection.executeQuery<R>(CompiledQuery.raw(forWriting.begin)),
    )
    try {
      this.#rules.ensureKnown()
      return begun
    } catch (error) {
      this.#undo()
      throw error
    }
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#connection.executeQuery<R>(query)
    if (!this.#database.isTransaction) this.#rules.ensureKept()
    return result
  }

  #undo(): void {
    // After some errors, such as a full disk, SQLite has already rolled back by itself.
    if (this.#database.isTransaction) this.#database.exec('rollback')
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize)
  }
}
