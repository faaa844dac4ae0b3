/** A search on a screen. */
export interface Sought<Row> {
  /** Whether a row matches. */
  has(row: Row): boolean
  /**
   * The rows that match, in order; with `placeOf`, those of which that matches. Quicker than `has` for thousands: a longer word is
   * sought among what matched before.
   */
  among(rows: readonly Row[], placeOf?: (row: Row) => Row): Row[]
  /** Whether something else on the screen matches, given its texts. Slower than `has`, so call it for a few texts only. */
  hasTexts(title: string, ...more: readonly string[]): boolean
}

/** The props that connect a screen with its search: the screen shows the matches, or everything. */
export interface ScreenSearchProps<Row> {
  /** The number of rows shown. */
  count: number
  /** The rows to search, if they are many: they are prepared while the field is open. */
  rows?: readonly Row[] | undefined
  /** Called when the search has other answers than before; with undefined once there is none. */
  show(sought: Sought<Row> | undefined): void
  /** Whether Ctrl+F searches here, because the browser would not find all rows. */
  takesFind?: boolean
}
