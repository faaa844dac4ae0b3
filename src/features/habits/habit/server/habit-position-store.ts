import type { Transaction } from 'kysely'
import { positionShortener } from '#platform/database/rows/short-positions.ts'
import type { Tables } from '#platform/database/tables.ts'
import { newestLast, type Placed } from '#platform/order/position.ts'

type Row = Tables['habits']

const { isTooLong, shortenPositions } = positionShortener('habits', newestLast)

/** A habit's place among all habits. Until somebody moves it, the place follows from when it was created. */
export function placeOf({ id, position, created_at }: Pick<Row, 'id' | 'position' | 'created_at'>): Placed {
  return { id, position: position ?? newestLast({ id, created: created_at }) }
}

/** The row, with its position shortened if it was too long. */
export async function shortened(tx: Transaction<Tables>, row: Row): Promise<Row> {
  if (!isTooLong(row)) return row
  const positions = await shortenPositions(tx, row.user_id, [row.id])
  return { ...row, position: positions.get(row.id) ?? row.position }
}
