/**
 * The rows in the order in which the app shows them, for files whose own order is different. In each list, rows with a place come
 * first, by place; the others follow in the order of the file. The import later numbers the rows in the order of this result.
 */
export function inOwnOrder<Row extends { key: string; list?: string }>(
  rows: readonly Row[],
  places: ReadonlyMap<string, number>,
): Row[] {
  const placeOf = ({ key }: Row) => places.get(key) ?? Number.POSITIVE_INFINITY
  const byPlace = (one: Row, other: Row) => {
    const [place, otherPlace] = [placeOf(one), placeOf(other)]
    // Two rows without a place are equal; Infinity minus Infinity would be NaN.
    return place === otherPlace ? 0 : place - otherPlace
  }
  const lists = new Map(
    [...Map.groupBy(rows, ({ list }) => list)].map(([list, own]) => [list, own.toSorted(byPlace).values()]),
  )
  // Each row is replaced by the next row of its list in the new order, so the lists stay interleaved as in the file.
  return rows.flatMap(({ list }) => lists.get(list)?.next().value ?? [])
}

/** The place of each key: its index. */
export function placesOf(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, place) => [key, place]))
}
