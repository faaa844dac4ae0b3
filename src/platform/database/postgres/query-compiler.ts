import {
  InsertQueryNode,
  type OperationNode,
  PostgresQueryCompiler,
  ReturningNode,
  type SelectAllNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
} from 'kysely'

/** The names of a table's columns; undefined while they are not known. */
export type ColumnsOf = (table: string) => readonly string[] | undefined

/**
 * Names each column instead of selecting `*`. A newer program may add columns while this one runs, and PostgreSQL refuses a
 * prepared statement whose result would then have other columns than when it was prepared.
 */
export class NamingQueryCompiler extends PostgresQueryCompiler {
  readonly #columnsOf: ColumnsOf

  constructor(columnsOf: ColumnsOf) {
    super()
    this.#columnsOf = columnsOf
  }

  protected override visitSelectAll(node: SelectAllNode): void {
    const table = tableOfAll(this.nodeStack)
    const columns = table === undefined ? undefined : this.#columnsOf(table)
    if (!columns) super.visitSelectAll(node)
    else this.append(columns.map((column) => `"${this.sanitizeIdentifier(column)}"`).join(', '))
  }
}

/** The only table from which a `*` can select; undefined if there may be others. `nodes` lead from the query to the `*`. */
function tableOfAll(nodes: readonly OperationNode[]): string | undefined {
  const [, selection, query, inserting] = nodes.toReversed()
  if (!selection || !SelectionNode.is(selection) || !query) return undefined
  if (ReturningNode.is(query)) {
    const isInsertion = inserting && InsertQueryNode.is(inserting)
    return isInsertion ? inserting.into?.table.identifier.name : undefined
  }
  if (!SelectQueryNode.is(query) || query.joins) return undefined
  const [from, ...others] = query.from?.froms ?? []
  if (!from || others.length > 0 || !TableNode.is(from)) return undefined
  return from.table.identifier.name
}
