import * as z from 'zod/mini'
import { daySchema, instantTextSchema, longAgo } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import type { Fields } from '#platform/wire/synced-row.ts'

/** Every field of a pause, in the order in which they are sent. */
export const pauseRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  /** Null for a pause of all habits. The id of a habit that does not exist has no effect. */
  habit_id: { wire: z.nullable(z.string()), accepts: z.nullable(rowIdSchema) },
  from_day: { wire: daySchema, changedAt: 'from_day_at', label: 'First day' },
  /** Included in the pause; null until the habit is resumed. */
  to_day: { wire: z.nullable(daySchema), initial: null, changedAt: 'to_day_at', label: 'Last day' },
  created_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
  updated_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
} as const satisfies Fields
