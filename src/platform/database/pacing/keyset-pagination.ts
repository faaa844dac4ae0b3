/**
 * Pages of rows in the order of a key. `read` gets the last row of the previous page, undefined for the first page, and returns
 * up to `atOnce` rows that follow it. The first page that isn't full is the last one, and may be empty. `between` is awaited
 * between two pages. No page is read before the previous one has been used.
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

/**
 * Like `pagesByKey`, but yields ranges of keys instead of rows. A range starts after the key `after` (undefined for the first
 * range) and ends with `end` (undefined for the last one). `endAfter` finds the end of the range after a key, undefined if there
 * are too few rows.
 */
export async function* stretchesByKey<Key>(
  endAfter: (after: Key | undefined) => Promise<Key | undefined>,
  between?: () => Promise<void>,
): AsyncGenerator<{ after: Key | undefined; end: Key | undefined }> {
  for (let after: Key | undefined; ; ) {
    const end = await endAfter(after)
    yield { after, end }
    if (end === undefined) return
    after = end
    await between?.()
  }
}
