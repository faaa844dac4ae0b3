import * as z from 'zod/mini'
import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import type { Columns } from '#platform/wire/synced-row.ts'
import { isPosition, positionSchema } from './position.ts'

/** What `position` holds in rows that nobody has moved: these stand where their creation puts them. */
export const unmoved = ''

/** In files of version 1, nobody had moved any row. */
export const positionInFileSchema = z.union(
  [positionSchema, z.literal(unmoved)],
  'Expected a position, such as a0',
)

/** The field `position` of rows that stand where `ofCreation` puts them, as long as nobody moves them. */
export function positionField(ofCreation: (row: { id: string; created: Instant }) => string) {
  return {
    /** The position by which a row is sorted, wherever it comes from. */
    positionOf({ id, position, created_at }: { id: string; position: string; created_at: string }): string {
      return position === unmoved ? ofCreation({ id, created: instantFromWire(created_at) }) : position
    },
    /** Null while nobody has moved the row. */
    stored: {
      toColumns: (position: string) => ({ position: isPosition(position) ? position : null }),
      fromColumns: ({ id, position, created_at }: Columns) =>
        typeof position === 'string' ? position : ofCreation({ id: String(id), created: Number(created_at) }),
    },
  }
}
