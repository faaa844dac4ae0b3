/**
 * The rows in the order in which the app shows them, where its file tells more than their order in it: of each list those with
 * a place by it, and behind them those without, as they stand in the file. Positions follow from the order in a reading.
 */
export function inOwnOrder<Row extends { key: string; list?: string }>(
  rows: readonly Row[],
  places: ReadonlyMap<string, number>,
): Row[] {
  const placeOf = ({ key }: Row) => places.get(key) ?? Number.POSITIVE_INFINITY
  const byPlace = (one: Row, other: Row) => {
    const [place, otherPlace] = [placeOf(one), placeOf(other)]
    // Two without a place are equal, and infinity less infinity is no number.
    return place === otherPlace ? 0 : place - otherPlace
  }
  const lists = new Map(
    [...Map.groupBy(rows, ({ list }) => list)].map(([list, own]) => [list, own.toSorted(byPlace).values()]),
  )
  // Where the file has a row of a list, the next one of that list comes.
  return rows.flatMap(({ list }) => lists.get(list)?.next().value ?? [])
}

/** The places of those keys that are in a list in their order. */
export function placesOf(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, place) => [key, place]))
}
