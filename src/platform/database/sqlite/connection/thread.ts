import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, type QueryResult } from 'kysely'
import { forWriting, sqliteDialect } from './dialect.ts'

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
 * A connection to a file on a separate thread: slow work there, such as copying a large file, does not block this thread. Each
 * statement costs one message in each direction.
 */
export class SqliteThread {
  readonly #worker: Worker
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ThreadOptions) {
    this.#worker = new Worker(new URL('./thread-work.ts', import.meta.url), { workerData: options })
  }

  /** Runs a statement once the statements before it are done. */
  run<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    const result = this.#last.then(() => this.#send<Row>({ sql, parameters }))
    this.#last = result.catch(() => {})
    return result
  }

  async #send<Row>(statement: Statement): Promise<QueryResult<Row>> {
    this.#worker.postMessage(statement)
    const [{ result, error, errcode }] = await once(this.#worker, 'message')
    // A message carries only the text of an error, so the code is sent separately.
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

/**
 * Only one caller at a time may use this dialect: a statement that arrives while a transaction is open becomes part of that
 * transaction.
 */
export function threadDialect(thread: SqliteThread): Dialect {
  return sqliteDialect(() => new ThreadDriver(thread))
}

class ThreadDriver implements Driver {
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

  /** Does nothing: whoever started the thread ends it. */
  async destroy(): Promise<void> {}
}
