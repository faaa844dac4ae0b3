import type { Transaction } from 'kysely'
import { positionShortener } from '#platform/database/rows/short-positions.ts'
import type { Tables } from '#platform/database/tables.ts'
import { newestLast, type Placed } from '#platform/order/position.ts'

type Row = Tables['habits']

const { isTooLong, shortenPositions } = positionShortener('habits', newestLast)

/** Where a habit stands among all of them: while nobody has moved it, where its creation puts it. */
export function placeOf({ id, position, created_at }: Pick<Row, 'id' | 'position' | 'created_at'>): Placed {
  return { id, position: position ?? newestLast({ id, created: created_at }) }
}

/** The row with a position that is not too long. */
export async function shortened(tx: Transaction<Tables>, row: Row): Promise<Row> {
  if (!isTooLong(row)) return row
  const positions = await shortenPositions(tx, row.user_id, [row.id])
  return { ...row, position: positions.get(row.id) ?? row.position }
}
