import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult } from 'kysely'
import { forWriting, sqliteDialect } from './sqlite-dialect.ts'

export interface ThreadOptions {
  path: string
  readOnly?: boolean
  /** Milliseconds for which a statement waits while another process holds the file. */
  timeout?: number
  enableForeignKeyConstraints?: boolean
}

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

/**
 * One connection to a file, on a thread of its own: what takes long there, such as copying a large file, holds up nothing
 * here. Each statement costs a message there and one back.
 */
export class SqliteThread {
  readonly #worker: Worker
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ThreadOptions) {
    this.#worker = new Worker(new URL('./sqlite-thread-work.ts', import.meta.url), { workerData: options })
  }

  /** Runs a statement once those before it are done. */
  run<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const answer = this.#last.then(() => this.#ask<Row>({ sql, parameters }))
    this.#last = answer.catch(() => {})
    return answer
  }

  async #ask<Row>(statement: Statement): Promise<QueryResult<Row>> {
    this.#worker.postMessage(statement)
    const [{ result, error, errcode }] = await once(this.#worker, 'message')
    // A message carries no more of an error than its words.
    if (error) throw Object.assign(error, { errcode })
    return result
  }

  async close(): Promise<void> {
    await this.#last
    const exit = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await exit
  }
}

/** For one user: what is asked while a transaction is open becomes part of it. */
export function threadDialect(thread: SqliteThread): Dialect {
  return sqliteDialect(() => new OnThread(thread))
}

class OnThread implements Driver {
  readonly #connection: DatabaseConnection

  constructor(thread: SqliteThread) {
    this.#connection = {
      executeQuery: ({ sql, parameters }) => thread.run(sql, parameters),
      streamQuery() {
        throw new Error('Rows of a thread cannot be walked through one by one')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(forWriting.begin))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(forWriting.commit))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Whoever began the thread ends it. */
  async destroy(): Promise<void> {}
}
