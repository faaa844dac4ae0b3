import pg from 'pg'

interface Statement {
  text: string
  values: unknown[]
  name?: string
}

interface First {
  /** Resolves once the transaction has begun; rejects if the server refuses that. */
  begun: Promise<void>
  done: Promise<pg.QueryResult>
}

/**
 * Sends what begins a transaction and the first statement inside it as one: the server skips the statement if it refuses what comes
 * before. Sent one after the other, a statement whose `begin` was refused would run, and be stored, alone.
 */
export function sendFirst(
  client: pg.PoolClient,
  beginning: readonly string[],
  { name, ...statement }: Statement,
): First {
  const begun = Promise.withResolvers<void>()
  const done = Promise.withResolvers<pg.QueryResult>()
  // Even without values, since only such a statement can be sent together with others.
  const extended = { ...statement, queryMode: 'extended' }
  const query: pg.Query = new pg.Query(extended, (error, result) => {
    if (error) done.reject(error)
    else done.resolve(result)
  })
  if (!hasSteps(query)) throw new Error('This version of pg sends statements in other steps')
  const { prepare, handleCommandComplete, handleError } = query
  let left = beginning.length
  query.prepare = (connection) => {
    for (const text of beginning) {
      connection.parse({ name: '', text, types: [] }, true)
      connection.bind({}, true)
      connection.execute({}, true)
    }
    // Until the transaction has begun, what the server says about a parsed statement is not about the one with this name.
    query.name = name
    prepare.call(query, connection)
    query.name = undefined
  }
  query.handleCommandComplete = () => {
    left -= 1
    if (left > 0) return
    query.name = name
    query.handleCommandComplete = handleCommandComplete
    query.handleError = handleError
    begun.resolve()
  }
  query.handleError = (error, connection) => {
    if (name !== undefined) delete connection.submittedNamedStatements[name]
    begun.reject(error)
    handleError.call(query, error, connection)
  }
  client.query(query)
  return { begun: begun.promise, done: done.promise }
}

/** What a statement of `pg` does with its connection, which its types leave out. */
interface Steps {
  name: string | undefined
  prepare(connection: pg.Connection): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
  handleError(error: Error, connection: Submitting): void
}

interface Submitting {
  /** The named statements that are sent, but not known to be prepared. */
  submittedNamedStatements: Record<string, string>
}

function hasSteps(query: object): query is Steps {
  return 'prepare' in query && 'handleCommandComplete' in query && 'handleError' in query
}
