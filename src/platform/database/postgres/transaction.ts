import type { CompiledQuery, Dialect, Kysely, QueryResult, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { transactions } from '../transaction-executor.ts'
import type { PostgresConnection } from './connection.ts'
import { type GuardedPostgresDriver, ofOurs } from './driver.ts'

/** The most statements that a write goes on before: each has to be answered within the time limit of a statement. */
const mostUnanswered = 20

type Work<T> = (tx: Transaction<Tables>) => Promise<T>

/**
 * Creates the functions that run work on a connection of its own with as few round trips as the work allows: statements that it
 * asks for together are sent together. `count` is called for each result.
 */
export function transactionRunners(
  db: Kysely<Tables>,
  dialect: Dialect,
  driver: GuardedPostgresDriver,
  count: <Row>(result: QueryResult<Row>) => QueryResult<Row>,
) {
  const transactionOn = transactions(dialect, driver, mostUnanswered)
  const openOn = (connection: PostgresConnection) => {
    let failure: { error: unknown } | undefined
    const opened = transactionOn({
      async executeQuery<R>(query: CompiledQuery) {
        try {
          return count(await connection.executeQuery<R>(query))
        } catch (error) {
          failure ??= { error }
          throw error
        }
      },
      streamQuery: () => connection.streamQuery(),
    })
    return { ...opened, firstFailure: () => failure }
  }

  /**
   * Runs `work` as one transaction. It begins with the first statement. `last`: the last statements once `work` is done, which are
   * sent together with the commit; returned are the rows of the very last.
   */
  function runTransaction<T, Last>(
    work: Work<T>,
    last: (tx: Transaction<Tables>) => readonly CompiledQuery<Last>[] = () => [],
  ): Promise<{ done: T; last: readonly Last[] }> {
    return db.getExecutor().provideConnection(async (provided) => {
      const connection = ofOurs(provided)
      const { tx, finish, settled, firstFailure } = openOn(connection)
      connection.begin({})
      try {
        const done = await work(tx)
        finish()
        const failed = firstFailure()
        if (failed) throw failed.error
        const [results] = await Promise.all([connection.commit(last(tx)), settled()])
        return { done, last: results.map(count).at(-1)?.rows ?? [] }
      } catch (error) {
        // Before the rollback: a statement that comes later must not reach the connection any more.
        finish()
        await settled().catch(() => {})
        // The rollback fails only on a broken connection, and the server has then rolled back by itself.
        await connection.rollback().catch(() => {})
        // The first statement that failed is the cause of all that failed after it, whoever waited for it.
        throw firstFailure()?.error ?? error
      }
    })
  }

  /** Runs reads that see the database as it was at one moment. */
  function snapshot<T>(work: Work<T>): Promise<T> {
    return onConnection(async (connection) => {
      connection.begin({ isolationLevel: 'repeatable read', accessMode: 'read only' })
      return { done: await read(connection, work), end: () => connection.commit() }
    })
  }

  function readTogether<T>(work: (read: Kysely<Tables>) => Promise<T>): Promise<T> {
    return onConnection(async (connection) => ({ done: await read(connection, work) }))
  }

  async function read<T>(connection: PostgresConnection, work: Work<T>): Promise<T> {
    const { tx, finish } = openOn(connection)
    try {
      return await work(tx)
    } finally {
      finish()
    }
  }

  /** Resolves with what was read; how the reading ends on its connection, nobody has to wait for. */
  function onConnection<T>(
    work: (connection: PostgresConnection) => Promise<{ done: T; end?(): Promise<unknown> }>,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const using = db.getExecutor().provideConnection(async (provided) => {
      const connection = ofOurs(provided)
      try {
        const { done, end } = await work(connection)
        resolve(done)
        await end?.()
      } catch (error) {
        reject(error)
        await connection.rollback()
      }
    })
    // After the result is there, this changes nothing any more.
    using.catch(reject)
    return promise
  }

  return { runTransaction, readTogether, snapshot }
}
