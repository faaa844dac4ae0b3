import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult, Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import { transactions } from '../transaction-executor.ts'
import type { WriteGuard } from '../write-guard.ts'

/** Runs the work of one write inside a transaction that its caller begins and commits. */
export type RunPart = <T>(work: (tx: Transaction<Tables>) => Promise<T>) => Promise<T>

/**
 * Creates the function that runs writes inside a shared transaction. Each write is a savepoint, so that it can be rolled back
 * alone. The write has the connection to itself: its statements need no queue, unlike those of Kysely's own transactions, and
 * cost little more than SQLite's own time.
 */
export async function partRunner(
  database: DatabaseSync,
  dialect: Dialect,
  guard: WriteGuard,
): Promise<RunPart> {
  const driver = dialect.createDriver()
  await driver.init({})
  const connection = onlyInTransaction(database, await driver.acquireConnection())
  // A statement is answered at once: going on before the answer would gain nothing.
  const transactionOn = transactions(dialect, driver, 1)
  const begin = database.prepare('savepoint part')
  const undo = database.prepare('rollback to part')
  const end = database.prepare('release part')

  return async (work) => {
    const { tx, finish, settled } = transactionOn(connection)
    begin.run()
    try {
      const done = await guard.during(() => work(tx))
      await settled()
      end.run()
      return done
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already rolled back everything by itself.
      if (database.isTransaction) {
        undo.run()
        end.run()
      }
      throw error
    } finally {
      finish()
    }
  }
}

/**
 * Refuses statements outside of a transaction. After some errors SQLite has rolled back everything by itself, and what the same
 * write asks for afterwards would be stored alone.
 */
function onlyInTransaction(database: DatabaseSync, connection: DatabaseConnection): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (!database.isTransaction) throw new Error('The transaction has been rolled back by an earlier error')
      return connection.executeQuery<R>(query)
    },
    streamQuery: (query, rowsAtOnce) => connection.streamQuery(query, rowsAtOnce),
  }
}
