import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { byPosition, integerOf, isPosition, longestPosition, lowestInteger, type Placed } from './position.ts'

/**
 * The positions to write so that the row comes right after `above`, or first if `above` is undefined. Usually this is one
 * position; rows that share a position get new ones, too. Empty if the row is already there. `rows` are all rows of the same
 * order, unsorted.
 */
export function moveAfter(rows: readonly Placed[], id: string, above: string | undefined): Placed[] {
  const ordered = rows.toSorted(byPosition)
  const others = ordered.filter((row) => row.id !== id)
  const place = above === undefined ? 0 : others.findIndex((row) => row.id === above) + 1
  if (ordered[place]?.id === id) return []
  return insertAt(others, id, place)
}

/** The positions to write so that the row comes right before `below`, or last if `below` is undefined. */
export function moveBefore(rows: readonly Placed[], id: string, below: string | undefined): Placed[] {
  const ordered = rows.toSorted(byPosition).filter((row) => row.id !== id)
  const place = ordered.findIndex((row) => row.id === below)
  return moveAfter(rows, id, (place === -1 ? ordered : ordered.slice(0, place)).at(-1)?.id)
}

/**
 * Positions for new rows at the beginning, in the given order. These are `ofCreation`, the positions that follow from the rows'
 * creation, unless an existing row would come before the new rows.
 */
export function firstPositions(rows: readonly Placed[], ofCreation: readonly string[]): string[] {
  const [first] = rows.toSorted(byPosition)
  if (first === undefined || ofCreation.every((position) => position < first.position)) return [...ofCreation]
  return keysBetween(null, first.position, ofCreation.length)
}

/** The position of a new row after all others. */
export function lastPosition(rows: readonly Placed[]): string {
  return keyBetween(rows.toSorted(byPosition).at(-1)?.position ?? null, null)
}

function insertAt(others: readonly Placed[], id: string, place: number): Placed[] {
  const [above, below] = [others[place - 1], others[place]]
  const [low, high] = [above?.position ?? null, below?.position ?? null]
  if (low === null || high === null || low !== high) return [{ id, position: keyBetween(low, high) }]

  // No position fits between two equal ones. Of the rows that share this position, either those above or those below the gap get
  // new positions, whichever are fewer.
  const isSame = (row: Placed) => row.position === low
  const [before, after] = [others.slice(0, place).filter(isSame), others.slice(place).filter(isSame)]
  if (after.length <= before.length) {
    const next = others[place + after.length]?.position ?? null
    return placed([id, ...after.map((row) => row.id)], keysBetween(low, next, after.length + 1))
  }
  const last = others[place - before.length - 1]?.position ?? null
  return placed([...before.map((row) => row.id), id], keysBetween(last, high, before.length + 1))
}

/**
 * New positions for a row whose position has become too long, and for as many neighbours as necessary. The order stays.
 * `ordered` are all rows of the same order, sorted by position.
 */
export function shortenAround(ordered: readonly Placed[], id: string): Placed[] {
  const place = ordered.findIndex((row) => row.id === id)
  for (let reach = 8; ; reach *= 4) {
    const [from, end] = [Math.max(0, place - reach), Math.min(ordered.length, place + reach + 1)]
    const isAll = from === 0 && end === ordered.length
    const [first, low, high] = [ordered[from], ordered[from - 1]?.position, ordered[end]?.position]
    if (first === undefined) return []
    if (low !== undefined && low === high) continue
    // If all rows get new positions, start at the first row's present position: new rows need the space before it.
    const start = low ?? (high === undefined ? startOf(first.position) : null)
    const keys = keysBetween(start, high ?? null, end - from)
    if (isAll || keys.every((key) => key.length <= longestPosition / 2)) {
      return placed(
        ordered.slice(from, end).map((row) => row.id),
        keys,
      )
    }
  }
}

function startOf(position: string): string {
  const integer = integerOf(position)
  return isPosition(integer) ? integer : floor
}

/** A position that is lower than any that moving a row produces. */
const floor = `${lowestInteger}V`

function keyBetween(low: string | null, high: string | null): string {
  return generateKeyBetween(low ?? floorOf(high), high)
}

function keysBetween(low: string | null, high: string | null, count: number): string[] {
  return generateNKeysBetween(low ?? floorOf(high), high, count)
}

/** A lower bound for `fractional-indexing`, which would otherwise go down to the lowest integer, an invalid position. */
function floorOf(high: string | null): string | null {
  return high?.startsWith('A') && high > floor ? floor : null
}

function placed(ids: readonly string[], positions: readonly string[]): Placed[] {
  return ids.flatMap((id, place) => {
    const position = positions[place]
    return position === undefined ? [] : [{ id, position }]
  })
}
