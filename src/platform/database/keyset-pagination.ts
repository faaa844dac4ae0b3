/**
 * Pages of rows in the order of a key. `read` takes the last row of the page before, undefined for the first page, and returns up to
 * `atOnce` rows that follow it; the first page that isn't full is the last one, and may be empty. `between` is awaited between two
 * pages. No page is read before the one before it has been used.
 */
export async function* pagesByKey<Row>(
  atOnce: number,
  read: (last: Row | undefined) => Promise<Row[]>,
  between?: () => Promise<void>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last)
    yield rows
    last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    await between?.()
  }
}
