import type { CompiledQuery, Dialect, Kysely, QueryResult, Transaction, TransactionSettings } from 'kysely'
import type { Tables } from '../tables.ts'
import { transactions } from '../transaction-executor.ts'
import { type GuardedPostgresDriver, ofOurs } from './driver.ts'

interface Options<Last> {
  settings?: TransactionSettings
  /** The last statements, which are sent together with the commit. */
  last?: readonly CompiledQuery<Last>[] | undefined
}

/**
 * Creates the function that runs `work` as one transaction with as few round trips as it allows: the transaction begins with the
 * first statement, statements that `work` asks for together are sent together, and the last ones together with the commit.
 * `count` is called for each result.
 */
export function transactionRunner(
  db: Kysely<Tables>,
  dialect: Dialect,
  driver: GuardedPostgresDriver,
  count: <Row>(result: QueryResult<Row>) => QueryResult<Row>,
) {
  const transactionOn = transactions(dialect, driver)
  return <T, Last>(
    work: (tx: Transaction<Tables>) => Promise<T>,
    { settings = {}, last = [] }: Options<Last> = {},
  ): Promise<{ done: T; last: readonly Last[] }> =>
    db.getExecutor().provideConnection(async (provided) => {
      const connection = ofOurs(provided)
      const { tx, finish, settled } = transactionOn({
        executeQuery: async <R>(query: CompiledQuery) => count(await connection.executeQuery<R>(query)),
        streamQuery: () => connection.streamQuery(),
      })
      connection.begin(settings)
      try {
        const done = await work(tx)
        finish()
        const [results] = await Promise.all([connection.commit(last), settled()])
        return { done, last: results.map(count).at(-1)?.rows ?? [] }
      } catch (error) {
        // Before the rollback: a statement that comes later must not reach the connection any more.
        finish()
        // A failed statement that nobody waited for is the cause of all that failed after it.
        const cause = await settled().then(
          () => error,
          (earlier: unknown) => earlier,
        )
        await connection.rollback()
        throw cause
      }
    })
}
