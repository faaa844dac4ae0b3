import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { shortenAround } from '#platform/order/move.ts'
import { byPosition, longestPosition, type Placed } from '#platform/order/position.ts'
import { inBatches } from '../pacing/batches.ts'
import { pagesByKey } from '../pacing/keyset-pagination.ts'
import { createYieldPoint } from '../pacing/yield-point.ts'
import { rowsChanged } from '../revisions/changed-rows.ts'
import type { Tables } from '../tables.ts'

/** The tables, and collections, whose rows have no stored position until somebody moves them. */
type PlacedTable = 'todos' | 'habits'

type Row = Pick<Tables[PlacedTable], 'id' | 'position' | 'created_at' | 'deleted_at'>

/** Few enough rows that SQLite reads them without making other requests wait. */
const readAtOnce = 1_000

/** Keeps the positions in a table short. `ofCreation` returns the position of a row that nobody has moved. */
export function positionShortener(
  table: PlacedTable,
  ofCreation: (row: { id: string; created: Instant }) => string,
) {
  // Kysely cannot type a query on a table that is a union of names.
  const rows: PlacedTable = table

  /** The row, with its position shortened if it is too long, as after many moves or on a device that was offline for long. */
  async function shortened<Each extends Row & { user_id: string }>(
    tx: Transaction<Tables>,
    row: Each,
  ): Promise<Each> {
    const { id, user_id, position, deleted_at } = row
    if (deleted_at !== null || position === null || position.length <= longestPosition) return row
    const positions = await shortenPositions(tx, user_id, [id])
    return { ...row, position: positions.get(id) ?? position }
  }

  /**
   * Shortens the positions of these rows, and of as many neighbours as needed; the order stays. Shortening does not count as a
   * move, so the instants of the last moves stay too. Returns the new positions by id. All of the user's rows are read, which is
   * acceptable: a position gets that long only after hundreds of moves into one gap.
   */
  async function shortenPositions(
    tx: Transaction<Tables>,
    user: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const yieldPoint = createYieldPoint()
    const { placed, stored } = await readPlaces(tx, user)
    const ordered = placed.toSorted(byPosition)
    const placeOf = new Map(ordered.map(({ id }, place) => [id, place]))
    const shortened = new Map<string, string>()
    for (const id of ids) {
      await yieldPoint()
      const place = placeOf.get(id)
      // Shortening the neighbours of another row may have shortened this one.
      if (place === undefined || (ordered[place]?.position.length ?? 0) <= longestPosition) continue
      for (const each of shortenAround(ordered, id)) {
        const at = placeOf.get(each.id)
        if (at !== undefined) ordered[at] = each
        shortened.set(each.id, each.position)
      }
    }
    if (!(await lockUnmoved(tx, user, [...shortened.keys()], stored))) return new Map()
    rowsChanged(tx, table, shortened.keys())
    for (const [id, position] of shortened) {
      await yieldPoint()
      await tx.updateTable(rows).set({ position }).where('user_id', '=', user).where('id', '=', id).execute()
    }
    return shortened
  }

  /**
   * `placed`: the position of every row that is not deleted. `stored`: the position as stored, null while nobody has moved the
   * row.
   */
  async function readPlaces(tx: Transaction<Tables>, user: string) {
    const yieldPoint = createYieldPoint()
    const placed: Placed[] = []
    const stored = new Map<string, string | null>()
    const read = (last?: Pick<Row, 'created_at' | 'id'>) =>
      tx
        .selectFrom(rows)
        .select(['id', 'position', 'created_at'])
        .where('user_id', '=', user)
        .where('deleted_at', 'is', null)
        .$if(last !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(last?.created_at ?? 0, last?.id ?? '')),
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(readAtOnce)
        .execute()
    for await (const found of pagesByKey(readAtOnce, read, yieldPoint)) {
      for (const { id, position, created_at } of found) {
        placed.push({ id, position: position ?? ofCreation({ id, created: created_at }) })
        stored.set(id, position)
      }
    }
    return { placed, stored }
  }

  /**
   * Locks the rows, and returns whether all are still where they were. Does not wait for a write that is moving one of the rows
   * right now, because that write may be waiting for this one. The long position then stays until the row's next change.
   */
  async function lockUnmoved(
    tx: Transaction<Tables>,
    user: string,
    ids: readonly string[],
    stored: ReadonlyMap<string, string | null>,
  ): Promise<boolean> {
    for (const batch of inBatches(ids)) {
      const found = await tx
        .selectFrom(rows)
        .select(['id', 'position'])
        .where('user_id', '=', user)
        .where('id', 'in', batch)
        .where('deleted_at', 'is', null)
        .forUpdate()
        .skipLocked()
        .execute()
      if (found.length < batch.length || found.some(({ id, position }) => stored.get(id) !== position))
        return false
    }
    return true
  }

  return { shortened, shortenPositions }
}
