import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { Tables } from './tables.ts'

export interface OpenTransaction {
  tx: Transaction<Tables>
  /** From here on, every use of the transaction throws. */
  finish(): void
}

/**
 * Creates the function that hands out a transaction on a connection whose caller begins and commits it. Kysely's own transactions
 * let one statement wait for the other. In these, statements that are asked for together also run together, as far as the
 * connection can.
 */
export function transactions(
  dialect: Dialect,
  driver: Driver,
): (connection: DatabaseConnection) => OpenTransaction {
  const compiler = dialect.createQueryCompiler()
  const adapter = dialect.createAdapter()
  const config = { dialect }
  return (connection) => {
    const state = { finished: false }
    const executor = new TransactionExecutor(state, connection, compiler, adapter, {
      provideConnection: (consumer) => consumer(connection),
    })
    return {
      tx: new Transaction<Tables>({ config, dialect, driver, executor }),
      finish() {
        state.finished = true
      },
    }
  }
}

class TransactionExecutor extends DefaultQueryExecutor {
  readonly #state: { finished: boolean }
  readonly #connection: DatabaseConnection

  constructor(
    state: { finished: boolean },
    connection: DatabaseConnection,
    ...rest: ConstructorParameters<typeof DefaultQueryExecutor>
  ) {
    super(...rest)
    this.#state = state
    this.#connection = connection
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state.finished) throw new Error('A transaction was used after its write had ended')
    return this.#connection.executeQuery<R>(query)
  }
}
