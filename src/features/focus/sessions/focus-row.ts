import * as z from 'zod/mini'
import { daySchema, instantFromWire, instantTextSchema, instantToWire } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import type { Columns, Fields } from '#platform/wire/synced-row.ts'

export const secondsSchema = z
  .int('Expected whole seconds')
  .check(z.minimum(1, 'Expected at least one second'))

export const durationSchema = secondsSchema.check(z.maximum(86_400, 'Expected at most 86,400 seconds'))

/**
 * By the timer, down or up; entered by hand; or the total of a day, counted elsewhere, which has no start and is no
 * session.
 */
export const sessionKindSchema = z.enum(['countdown', 'flow', 'hand', 'total'])
export type SessionKind = z.infer<typeof sessionKindSchema>

/** What a column that is never null holds in place of a start. */
const noStart = -1e15

const storedStart = {
  toColumns: (text: string | null) => ({ started_at: text === null ? noStart : instantFromWire(text) }),
  fromColumns: ({ started_at }: Columns) =>
    typeof started_at === 'number' && started_at !== noStart ? instantToWire(started_at) : null,
}

/** Every field of a focus session. The seconds of its days are stored separately. */
export const focusRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  kind: { wire: sessionKindSchema, whenMissing: 'countdown' },
  /** What it was about: a to-do, a habit or neither. It may not be there: then the session is about nothing. */
  todo_id: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(rowIdSchema),
    whenMissing: null,
    changedAt: 'subject_at',
    label: 'Subject',
  },
  habit_id: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(rowIdSchema),
    whenMissing: null,
    changedAt: 'subject_at',
    label: 'Subject',
  },
  // These change together, and with them the seconds of the days.
  duration: { wire: z.int(), accepts: durationSchema, changedAt: 'time_at', label: 'Time' },
  /** Null in a total. */
  started_at: {
    wire: z.nullable(instantTextSchema),
    changedAt: 'time_at',
    label: 'Time',
    stored: storedStart,
  },
  ended_at: {
    wire: instantTextSchema,
    changedAt: 'time_at',
    label: 'Time',
    stored: 'instant',
  },
  /** The last of its days: the day on which the session counts. */
  ended_on: { wire: daySchema, changedAt: 'time_at', label: 'Time', visibility: 'server-only' },
} as const satisfies Fields
