import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Creates a placeholder in a query. Each run passes in the value of that name. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

/**
 * A query that runs often, such as in nearly every write. The query is built and compiled once per database, because building it
 * takes longer than SQLite needs to run it. Only its values differ between runs.
 */
export function compiledOnce<Values extends Record<string, unknown>>() {
  return <Row>(
    build: (db: Kysely<Tables>, param: Param<Values>) => Compilable<Row>,
  ): ((db: Kysely<Tables>, values: Values) => Promise<Row[]>) => {
    const compiled = new WeakMap<object, CompiledQuery<Row>>()
    const param: Param<Values> = (name) => sql`${new Placeholder(name)}`
    return async (db, values) => {
      // The compiled query is kept by adapter: a database has one, or two (for writing and for reading), however many
      // transactions there are.
      const { adapter } = db.getExecutor()
      let query = compiled.get(adapter)
      if (!query) {
        query = compiledForOften(build(db, param).compile())
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

const oftenRun = new WeakSet<object>()

/** Marks a compiled query as one that runs often, with whatever values: a connection may prepare it once. */
export function compiledForOften<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  oftenRun.add(query.query)
  return query
}

/** `node`: the `query` of a compiled query. */
export function isRunOften(node: object): boolean {
  return oftenRun.has(node)
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
