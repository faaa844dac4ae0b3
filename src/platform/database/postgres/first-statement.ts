import pg from 'pg'

interface Statement {
  text: string
  values: unknown[]
  name?: string
}

/**
 * Sends the statement that begins a transaction and the first one inside it as one: the server skips the second if it refuses the
 * first. Sent one after the other, a statement whose `begin` was refused would run, and be stored, alone.
 */
export function sendFirst(
  client: pg.PoolClient,
  begin: string,
  { name, ...statement }: Statement,
): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
  // Even without values, since only such a statement can be sent together with another.
  const extended = { ...statement, queryMode: 'extended' }
  const query: pg.Query = new pg.Query(extended, (error, result) => {
    if (error) reject(error)
    else resolve(result)
  })
  if (!hasSteps(query)) throw new Error('This version of pg sends statements in other steps')
  const { prepare, handleCommandComplete, handleError } = query
  query.prepare = (connection) => {
    connection.parse({ name: '', text: begin, types: [] }, true)
    connection.bind({}, true)
    connection.execute({}, true)
    // Until the transaction has begun, what the server says about a parsed statement is not about the one with this name.
    query.name = name
    prepare.call(query, connection)
    query.name = undefined
  }
  query.handleCommandComplete = () => {
    query.name = name
    query.handleCommandComplete = handleCommandComplete
    query.handleError = handleError
  }
  query.handleError = (error, connection) => {
    if (name !== undefined) delete connection.submittedNamedStatements[name]
    handleError.call(query, error, connection)
  }
  client.query(query)
  return promise
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
