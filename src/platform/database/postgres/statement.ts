import pg from 'pg'
import { type Field, rowIn, type Shape, shapeOf } from './row-shape.ts'

export interface Statement {
  text: string
  values: readonly unknown[]
  /** The name under which a connection prepares it once. */
  name: string | undefined
}

export interface Answer {
  /** What the statement did, such as 'SELECT'; undefined if it was several. */
  command: string | undefined
  rowCount: number | null
  rows: pg.QueryResult['rows']
}

/** Sends a statement. Rejects with the server's error, or if a value cannot be sent or read. */
export function send(client: pg.PoolClient, { text, values, name }: Statement): Promise<Answer> {
  const { query, done } = queryOf(text, values, name)
  query.name = name
  client.query(query)
  return done
}

/**
 * Sends what begins a transaction and the first statement inside it as one: the server skips the statement if it refuses what comes
 * before. Sent one after the other, a statement whose `begin` was refused would run, and be stored, alone. `begun` resolves once
 * the transaction has begun, and rejects if the server refuses that.
 */
export function sendFirst(
  client: pg.PoolClient,
  beginning: readonly string[],
  { text, values, name }: Statement,
): { begun: Promise<void>; done: Promise<Answer> } {
  const begun = Promise.withResolvers<void>()
  const { query, done } = queryOf(text, values, name)
  // Even without values, since only such a statement can be sent together with others.
  query.queryMode = 'extended'
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
  return { begun: begun.promise, done }
}

/** A statement that is not sent yet. The shape of the rows of one with a name is worked out once, not each time. */
function queryOf(text: string, values: readonly unknown[], name: string | undefined) {
  const done = Promise.withResolvers<Answer>()
  const rows: Answer['rows'] = []
  let shape: Shape | undefined
  let failure: { error: unknown } | undefined
  // The text alone: a description of the statement would be copied, property by property.
  const query: pg.Query = new pg.Query(text, [...values], (error, result) => {
    if (error) return done.reject(error)
    if (failure) return done.reject(failure.error)
    const { command = undefined, rowCount = null } = Array.isArray(result) ? {} : result
    done.resolve({ command, rowCount, rows })
  })
  if (!hasSteps(query)) throw new Error('This version of pg sends statements in other steps')
  query.handleRowDescription = ({ fields }) => {
    shape = shapeOf(name, fields)
  }
  query.handleDataRow = ({ fields }) => {
    try {
      if (shape && !failure) rows.push(rowIn(shape, fields))
    } catch (error) {
      failure = { error }
    }
  }
  return { query, done: done.promise }
}

/** What a statement of `pg` does with its connection, which its types leave out. */
interface Steps extends pg.Query {
  name: string | undefined
  queryMode: 'extended' | undefined
  prepare(connection: pg.Connection): void
  handleRowDescription(message: { fields: readonly Field[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
  handleError(error: Error, connection: Submitting): void
}

interface Submitting {
  /** The named statements that are sent, but not known to be prepared. */
  submittedNamedStatements: Record<string, string>
}

const steps = ['prepare', 'handleRowDescription', 'handleDataRow', 'handleCommandComplete', 'handleError']

function hasSteps(query: pg.Query): query is Steps {
  return steps.every((step) => step in query)
}
