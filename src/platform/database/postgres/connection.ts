import { createHash } from 'node:crypto'
import { CompiledQuery, type DatabaseConnection, type QueryResult, type TransactionSettings } from 'kysely'
import type pg from 'pg'
import { isRunOften } from '../compiled-once.ts'
import type { Fence } from './fence.ts'
import { isInDoubt } from './queue.ts'
import { type Answer, type Statement, send, sendFirst } from './statement.ts'

/**
 * A connection to PostgreSQL. Statements that are asked for together are sent together: none waits for the other's response. A
 * transaction begins with its first statement.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #fence: Fence | undefined
  readonly #longestStatement: number | undefined
  /** The kind of the transaction that has begun; undefined if none has. */
  #transaction: 'reading' | 'writing' | undefined
  /** What begins the transaction, until it is sent. */
  #unsent: readonly string[] | undefined
  /** While the server has not said that the transaction has begun; rejects if it refuses. */
  #begun: Promise<void> | undefined
  #waits = false
  #isBroken = false
  #isHeldBack = false

  /** `longestStatement`: milliseconds after which the server gives up a statement of a transaction that writes. */
  constructor(client: pg.PoolClient, fence: Fence | undefined, longestStatement: number | undefined) {
    this.#client = client
    this.#fence = fence
    this.#longestStatement = longestStatement
  }

  begin({ isolationLevel, accessMode }: TransactionSettings): void {
    const isReading = accessMode === 'read only'
    this.#transaction = isReading ? 'reading' : 'writing'
    // The fence must see what others have committed, whatever isolation level the database uses by default.
    const isolation = isolationLevel ?? (isReading ? undefined : 'read committed')
    const begin = ['begin', isolation && `isolation level ${isolation}`, accessMode].filter(Boolean).join(' ')
    // The server has to give up before we do: it would go on with what it has received, and what it has received may include the
    // commit.
    const limit =
      isReading || this.#longestStatement === undefined
        ? []
        : [`set local statement_timeout = ${this.#longestStatement}`]
    this.#unsent = [begin, ...limit]
  }

  /** Sends the last statements together with the commit, and returns their results. */
  async commit<R>(last: readonly CompiledQuery<R>[] = []): Promise<QueryResult<R>[]> {
    // Through `this.executeQuery`, around which Kysely puts what reports failures.
    const execute = <Row>(query: CompiledQuery) => this.executeQuery<Row>(query)
    const results = last.map((query) => execute<R>(query))
    // The earliest failure is the cause of the others.
    const [done] = await Promise.all([Promise.all(results), this.#sendCommit(execute)])
    this.#end()
    return done
  }

  async #sendCommit(execute: DatabaseConnection['executeQuery']): Promise<void> {
    // Nothing was asked for, so nothing has begun.
    if (this.#unsent !== undefined) return
    if (this.#fence && this.#transaction === 'writing') await this.#fence.commit(this, execute)
    else await execute(commit)
  }

  async rollback(): Promise<void> {
    const hasBegun = this.#transaction !== undefined && this.#unsent === undefined
    // What waits for the begin is sent before the rollback: after it, it would be stored alone.
    if (hasBegun) await this.#begun?.catch(() => {})
    this.#end()
    if (!hasBegun) return
    try {
      await this.executeQuery(rollback)
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  release(): void {
    this.#end()
    this.#client.release(this.#isBroken)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { kind } = query.query
    if (this.#fence && this.#transaction === undefined && writing.has(kind)) {
      return this.#executeAlone<R>(query, this.#fence)
    }
    // Only the first statement is skipped if the transaction cannot begin. Others that write, or may write, wait until it has, and
    // what is asked for after them keeps its place.
    this.#waits ||= this.#begun !== undefined && kind !== 'SelectQueryNode'
    if (this.#waits) await this.#begun
    return this.#send<R>(query)
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read in pages')
  }

  #end(): void {
    this.#transaction = undefined
    this.#unsent = undefined
    this.#hasBegun()
  }

  #hasBegun(): void {
    this.#begun = undefined
    this.#waits = false
  }

  /**
   * Gives a writing statement outside of a transaction, for instance in a sign-in, its own transaction: the fence checks only
   * commits.
   */
  async #executeAlone<R>(query: CompiledQuery, fence: Fence): Promise<QueryResult<R>> {
    this.begin({})
    const done = this.#send<R>(query)
    const committed = fence.commit(this, (each) => this.#send(each))
    try {
      const [result] = await Promise.all([done, committed])
      return result
    } catch (error) {
      // The rollback fails only on a broken connection, and the server has then rolled back by itself.
      await this.#send(rollback).catch(() => {})
      throw error
    } finally {
      this.#end()
    }
  }

  /** Writes what is sent in this turn at once: each write costs as much as the rest of a statement. */
  #holdBack(): void {
    if (this.#isHeldBack) return
    const { stream } = this.#client.connection
    this.#isHeldBack = true
    stream.cork()
    process.nextTick(() => {
      this.#isHeldBack = false
      stream.uncork()
    })
  }

  async #send<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#holdBack()
    const beginning = this.#unsent
    this.#unsent = undefined
    const name = this.#fence?.isPooled === false ? nameOf(query) : undefined
    try {
      const statement = { text: query.sql, values: query.parameters, name }
      const { command, rowCount, rows } = await this.#sendNext(beginning, statement)
      const numAffectedRows =
        command !== undefined && changing.has(command) ? BigInt(rowCount ?? 0) : undefined
      return { rows, ...(numAffectedRows !== undefined && { numAffectedRows }) }
    } catch (error) {
      if (isInDoubt(error)) this.#isBroken = true
      // Where the answer was read tells nobody anything; who asked does.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }

  #sendNext(beginning: readonly string[] | undefined, statement: Statement): Promise<Answer> {
    if (!beginning) return send(this.#client, statement)
    const { begun, done } = sendFirst(this.#client, beginning, statement)
    this.#begun = begun.then(() => this.#hasBegun())
    // Nobody may be waiting for it.
    this.#begun.catch(() => {})
    return done
  }
}

const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')
const writing = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** The name of a prepared statement, under which each connection prepares it once. */
export function statementName(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** A statement whose result changes with the columns of a table, which a newer program may add while this one runs. */
const selectsAll = /\*(?!\))/

const names = new WeakMap<object, string>()

/** Runs of a statement until it gets a name. */
const runsUnnamed = 8
/**
 * The most statements with a name. Each connection keeps what it has prepared, and how many different statements there are depends
 * on what people change together: those that run often have got their names before.
 */
const mostNamed = 500
const runs = new WeakMap<object, number>()
const named = new Set<string>()

/** The name of a statement that runs often; undefined for others. */
function nameOf({ query, sql }: CompiledQuery): string | undefined {
  const known = names.get(query)
  if (known !== undefined || !isRunOften(query) || selectsAll.test(sql)) return known
  const run = (runs.get(query) ?? 0) + 1
  if (run < runsUnnamed) {
    runs.set(query, run)
    return undefined
  }
  const name = statementName(sql)
  if (named.size >= mostNamed && !named.has(name)) return undefined
  named.add(name)
  names.set(query, name)
  return name
}
