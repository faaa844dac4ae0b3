import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { shortenAround } from '#platform/order/move.ts'
import { byPosition, longestPosition, type Placed } from '#platform/order/position.ts'
import type { Tables } from '../tables.ts'
import { inBatches } from '../work/batches.ts'
import { pagesByKey } from '../work/keyset-pagination.ts'
import { createYieldPoint } from '../work/yield-point.ts'

/** The tables whose rows have no position until somebody moves them. */
type PlacedTable = 'todos' | 'habits'

type Row = Pick<Tables[PlacedTable], 'id' | 'position' | 'created_at' | 'deleted_at'>

/** Few enough that SQLite reads them without making other requests wait. */
const readAtOnce = 1_000

/** Keeps the positions of a table short. `ofCreation` is the position of a row that nobody has moved. */
export function positionShortener(
  table: PlacedTable,
  ofCreation: (row: { id: string; created: Instant }) => string,
) {
  // Kysely cannot type a query on a table that is one of several.
  const rows: PlacedTable = table

  /** Whether a row has a position that is too long to keep, such as one from a device that was offline for long. */
  function isTooLong({ position, deleted_at }: Pick<Row, 'position' | 'deleted_at'>): boolean {
    return deleted_at === null && position !== null && position.length > longestPosition
  }

  /**
   * Gives these rows short positions, and as many of their neighbours as it takes; the order stays. It is nobody's move: the
   * instants of the last moves stay too. Returns the new positions by id. All rows are read, which their user pays for; it takes
   * hundreds of moves into one gap to make a position that long.
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
      // It may have become shorter as a neighbour of another one.
      if (place === undefined || (ordered[place]?.position.length ?? 0) <= longestPosition) continue
      for (const each of shortenAround(ordered, id)) {
        const at = placeOf.get(each.id)
        if (at !== undefined) ordered[at] = each
        shortened.set(each.id, each.position)
      }
    }
    if (!(await lockUnmoved(tx, user, [...shortened.keys()], stored))) return new Map()
    for (const [id, position] of shortened) {
      await yieldPoint()
      await tx.updateTable(rows).set({ position }).where('user_id', '=', user).where('id', '=', id).execute()
    }
    return shortened
  }

  /** The position of every row that is not deleted, and as it is stored: null while nobody has moved it. */
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
   * Locks the rows, and returns whether all are where they were. Those that somebody is moving right now are not waited for, because
   * that write may be waiting for this one: then the long position stays until the next change of its row.
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

  return { isTooLong, shortenPositions }
}
