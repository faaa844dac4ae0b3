/** The rows that a person has selected, to act on all of them at once. */
export interface ChosenRows {
  ids: ReadonlySet<string>
  /** The first and last row of the current range. Shift moves its end. */
  range: { from: string; to: string } | undefined
}

export const noRows: ChosenRows = { ids: new Set(), range: undefined }

/** Selects or deselects a row, and begins a new range there. */
export function withToggled(chosen: ChosenRows | undefined, id: string): ChosenRows {
  const others = new Set(chosen?.ids)
  if (!others.delete(id)) others.add(id)
  return { ids: others, range: { from: id, to: id } }
}

/**
 * Selects all rows from the start of the range up to `to`; if there is no range, from `from`. Deselects rows of the former range
 * that the new range does not contain. `shown`: the ids of the rows on the screen, in order.
 */
export function withRangeTo(
  { ids, range }: ChosenRows,
  shown: readonly string[],
  { from, to }: { from: string; to: string },
): ChosenRows {
  const begin = range && shown.includes(range.from) ? range.from : from
  const before = range && begin === range.from ? between(shown, begin, range.to) : []
  const others = [...ids].filter((id) => !before.includes(id))
  return { ids: new Set([...others, ...between(shown, begin, to)]), range: { from: begin, to } }
}

export function withAll(shown: readonly string[]): ChosenRows {
  const [from] = shown
  const to = shown.at(-1)
  return { ids: new Set(shown), range: from === undefined || to === undefined ? undefined : { from, to } }
}

/** Deselects rows that no longer exist. Returns the same object if there are none. */
export function withoutGone(chosen: ChosenRows, isThere: (id: string) => boolean): ChosenRows {
  const there = [...chosen.ids].filter(isThere)
  return there.length === chosen.ids.size ? chosen : { ...chosen, ids: new Set(there) }
}

/** The row itself, or the one that took its place: the next below it, or else above it. `before`: the rows in their former order. */
export function rowInPlaceOf(
  id: string,
  { before, shown }: Record<'before' | 'shown', readonly string[]>,
): string | undefined {
  if (shown.includes(id)) return id
  const place = before.indexOf(id)
  if (place < 0) return undefined
  const isShown = (each: string) => shown.includes(each)
  return before.slice(place).find(isShown) ?? before.slice(0, place).findLast(isShown)
}

function between(shown: readonly string[], from: string, to: string): readonly string[] {
  const [first, last] = [shown.indexOf(from), shown.indexOf(to)].sort((one, other) => one - other)
  return first === undefined || last === undefined || first < 0 ? [] : shown.slice(first, last + 1)
}
