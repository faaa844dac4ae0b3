import * as z from 'zod/mini'
import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import type { Columns } from '#platform/wire/synced-row.ts'
import { isPosition, positionSchema } from './position.ts'

/** The `position` of rows that nobody has moved. Their place follows from their creation. */
export const unmoved = ''

/** The schema of a position in a file. Files of version 1 contain no moved rows. */
export const positionInFileSchema = z.union(
  [positionSchema, z.literal(unmoved)],
  'Expected a position, such as a0',
)

/** The field `position` of rows whose place is `ofCreation` until somebody moves them. */
export function positionField(ofCreation: (row: { id: string; created: Instant }) => string) {
  return {
    /** The position that a row is sorted by, whether moved or not. */
    positionOf({ id, position, created_at }: { id: string; position: string; created_at: string }): string {
      return position === unmoved ? ofCreation({ id, created: instantFromWire(created_at) }) : position
    },
    /** The column is null while nobody has moved the row. */
    stored: {
      toColumns: (position: string) => ({ position: isPosition(position) ? position : null }),
      fromColumns: ({ id, position, created_at }: Columns) =>
        typeof position === 'string' ? position : ofCreation({ id: String(id), created: Number(created_at) }),
    },
  }
}
