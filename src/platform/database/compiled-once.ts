import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Stands in a query for the value of that name, which each run of it brings along. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

/**
 * A query that many calls need, such as nearly every write: built and compiled once for a database, which costs more than
 * SQLite takes to run it. What differs from run to run are its values alone.
 */
export function compiledOnce<Values extends Record<string, unknown>>() {
  return <Row>(
    build: (db: Kysely<Tables>, given: Given<Values>) => Compilable<Row>,
  ): ((db: Kysely<Tables>, values: Values) => Promise<Row[]>) => {
    const compiled = new WeakMap<object, CompiledQuery<Row>>()
    const given: Given<Values> = (name) => sql`${new Placeholder(name)}`
    return async (db, values) => {
      // There is one of each database, or one each for writing and reading it, however many transactions.
      const { adapter } = db.getExecutor()
      let query = compiled.get(adapter)
      if (!query) {
        query = build(db, given).compile()
        compiled.set(adapter, query)
      }
      const parameters = query.parameters.map((each) =>
        each instanceof Placeholder ? values[each.name] : each,
      )
      const { rows } = await db.executeQuery<Row>({ ...query, parameters })
      return rows
    }
  }
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
