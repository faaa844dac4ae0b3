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
  /** Waits for the statements that `sendAlong` did not wait for. Rejects if one of them failed. */
  settled(): Promise<unknown>
}

/**
 * Creates the function that hands out a transaction on a connection whose caller begins and commits it. Kysely's own transactions
 * let one statement wait for the other. In these, statements that are asked for together also run together, as far as the
 * connection can. `mostUnanswered`: the most statements that a write goes on before without waiting for them.
 */
export function transactions(
  dialect: Dialect,
  driver: Driver,
  mostUnanswered: number,
): (connection: DatabaseConnection) => OpenTransaction {
  const compiler = dialect.createQueryCompiler()
  const adapter = dialect.createAdapter()
  const config = { dialect }
  return (connection) => {
    const state: State = { finished: false, unanswered: [], mostUnanswered }
    const executor = new TransactionExecutor(state, connection, compiler, adapter, {
      provideConnection: (consumer) => consumer(connection),
    })
    return {
      tx: new Transaction<Tables>({ config, dialect, driver, executor }),
      finish() {
        state.finished = true
      },
      settled: () => Promise.all(state.unanswered),
    }
  }
}

/**
 * Lets a write go on before a statement is answered whose result it does not need: the statement then travels with the next one.
 * If it fails, so does the whole write.
 */
export async function sendAlong(tx: Transaction<Tables>, statement: Promise<unknown>): Promise<void> {
  const executor = tx.getExecutor()
  if (executor instanceof TransactionExecutor) await executor.expect(statement)
  else await statement
}

interface State {
  finished: boolean
  unanswered: Promise<unknown>[]
  readonly mostUnanswered: number
}

class TransactionExecutor extends DefaultQueryExecutor {
  readonly #state: State
  readonly #connection: DatabaseConnection

  constructor(
    state: State,
    connection: DatabaseConnection,
    ...rest: ConstructorParameters<typeof DefaultQueryExecutor>
  ) {
    super(...rest)
    this.#state = state
    this.#connection = connection
  }

  /** Resolves when so many statements are unanswered that the write has to wait for them. */
  async expect(statement: Promise<unknown>): Promise<void> {
    // Whoever waits for it later hears of a failure; until then nobody does.
    statement.catch(() => {})
    const { unanswered, mostUnanswered } = this.#state
    unanswered.push(statement)
    if (unanswered.length >= mostUnanswered) await Promise.all(unanswered.splice(0))
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state.finished) throw new Error('A transaction was used after its write had ended')
    return this.#connection.executeQuery<R>(query)
  }
}
