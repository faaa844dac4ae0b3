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

/**
 * The same where the rows themselves are not needed, or only a few of them: stretches from after one key, undefined for the first, to
 * another. `endAfter` finds the key with which the stretch after a key ends, if there are so many rows; the last stretch has no end.
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
