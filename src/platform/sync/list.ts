/** A list of the server's as this device knows it: read by a GET, shown with the queued writes laid over it. */
export interface List<Row> {
  /** Names it on the device and in the cache; never reused for another shape. */
  name: string
  path: string
  /** The rows of an answer. Throws when the answer is not ours: also asked of what an older build kept on the device. */
  rows(answer: unknown): Row[]
}
