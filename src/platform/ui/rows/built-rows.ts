/** With more rows than this, a board builds only the rows near the window. */
export const mostBuilt = 50

/** The height of a row of one line, in pixels: a guess for rows that have not been drawn. */
export const usualHeight = 40

/** The browser's own search finds all rows of lists of up to so many: they are built when Ctrl+F is pressed. */
export const mostFound = 200

/** A row that is built. `start` and `end`: pixels from the upper edge of the list. */
export interface BuiltRow {
  index: number
  start: number
  end: number
  /** The name of its element for React: that of a row whose element it takes over, if it is not its own. */
  key?: string | undefined
}

/** The rows that are built, in the order shown, and the height of the whole list in pixels. */
export interface BuiltRows {
  rows: readonly BuiltRow[]
  height: number
}

/** Says which rows of a long list are built. */
export interface RowWindowHandle {
  builtOf(rows: readonly { id: string }[]): BuiltRows
  /** From the next drawing on, the row is built, until the focus is elsewhere. */
  keep(id: string): void
}
