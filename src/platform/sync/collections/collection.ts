/** Rows that the server has: read with one GET, and shown with the queued writes applied on top. */
export interface Collection<Row, Totals = unknown> {
  /** Its key in the local store and in the query cache; never reused for another shape. */
  name: string
  /** Of the calls that change a row, without the row's id. */
  path: string
  /** Where the rows are read, if that is not `path` itself. */
  readPath?: string
  /** What the reads and writes of it say of this build, where the server responds to others differently. */
  headers?: Readonly<Record<string, string>>
  /** The rows of a response. Throws if it has another shape; also called with what the version before stored. */
  rows(response: unknown): Row[]
  /** What a response says about rows that it leaves out; undefined if that is in a form that this build doesn't know. */
  totals?(response: unknown): Totals | undefined
}

export function readPathOf({ readPath, path }: Pick<Collection<unknown>, 'readPath' | 'path'>): string {
  return readPath ?? path
}
