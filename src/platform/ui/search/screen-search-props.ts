/** What is searched for on a screen. */
export interface Sought<Row> {
  /** Whether it is a row of the screen. */
  has(row: Row): boolean
  /** Whether it is something else on the screen, of which there is little. */
  hasTexts(title: string, ...more: readonly string[]): boolean
}

/** What a screen gives and gets: it shows what is sought, or everything. */
export interface ScreenSearchProps<Row> {
  /** How much is shown. */
  count: number
  show(sought: Sought<Row> | undefined): void
}
