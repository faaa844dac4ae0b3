/** Rows that the server has: read with one GET, and shown with the queued writes applied on top. */
export interface Collection<Row> {
  /** Its key in the local store and in the query cache; never reused for another shape. */
  name: string
  path: string
  /** The rows of a response. Throws if it has another shape; also called with what an older build stored. */
  rows(response: unknown): Row[]
}
