import type { Fields } from '#platform/wire/synced-row.ts'

/** A set of rows on the server: read with one GET, and shown with the queued writes applied on top. */
export interface Collection<Row, Totals = unknown> {
  /** Key in the local store and in the query cache. Never reuse it for another shape. */
  name: string
  /** Path of the requests that change a row, without the row's id. */
  path: string
  /** Path of the request that reads the rows, if it differs from `path`. */
  readPath?: string
  /** Headers that all requests for this collection send, for a server that responds differently to different builds. */
  headers?: Readonly<Record<string, string>>
  /** The rows of a response. Throws if the shape is unknown; also called with responses that the previous version stored. */
  rows(response: unknown): Row[]
  /**
   * If a response may have thousands of rows: the array that holds them, and their fields. A long one is read in slices, with
   * `rows` called for each as if it were the whole array, and stored without the values that `localShape` gives.
   */
  long?: { array: string; fields: Fields }
  /**
   * The order in which the server lists the rows, if it can tell what has changed since a revision: the collection is then read by
   * revision. Rows have an `id`.
   */
  order?(one: Row, other: Row): number
  /** The totals that a response gives for rows it leaves out; undefined if this build can't read them. */
  totals?(response: unknown): Totals | undefined
}

export function readPathOf({ readPath, path }: Pick<Collection<unknown>, 'readPath' | 'path'>): string {
  return readPath ?? path
}
