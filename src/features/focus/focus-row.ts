import * as z from 'zod/mini'
import { daySchema, instantTextSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import type { Fields } from '#platform/wire/synced-row.ts'

export const secondsSchema = z
  .int('Expected whole seconds')
  .check(z.minimum(1, 'Expected at least one second'))

export const durationSchema = secondsSchema.check(z.maximum(86_400, 'Expected at most 86,400 seconds'))

/** Every field of a focus session; none can be edited. The seconds of its days are stored separately. */
export const focusRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  duration: { wire: z.int(), accepts: durationSchema },
  started_at: { wire: z.string(), accepts: instantTextSchema, stored: 'instant' },
  ended_at: { wire: z.string(), accepts: instantTextSchema, stored: 'instant' },
  /** The last of its days: the day on which the session counts. */
  ended_on: { wire: daySchema, visibility: 'server-only' },
} as const satisfies Fields
