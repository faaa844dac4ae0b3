import * as z from 'zod/mini'
import { daySchema, instantFromWire, instantTextSchema, instantToWire } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import type { Columns, Fields } from '#platform/wire/synced-row.ts'

export const secondsSchema = z
  .int('Expected whole seconds')
  .check(z.minimum(1, 'Expected at least one second'))

export const durationSchema = secondsSchema.check(z.maximum(86_400, 'Expected at most 86,400 seconds'))

/**
 * How a session came about: timed by counting down ('countdown') or up ('flow'), typed in by the person ('hand'), or a day's
 * focus that was counted outside Daymark ('total'). A total has no start and does not count as a session.
 */
export const sessionKindSchema = z.enum(['countdown', 'flow', 'hand', 'total'])
export type SessionKind = z.infer<typeof sessionKindSchema>

/** Stored in place of a missing start, as the column cannot be null. */
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
  /**
   * The to-do or habit that the session was about; both are null if it was about nothing. If that row does not exist, the session
   * also counts as about nothing.
   */
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
  // The fields of the time change together, along with the seconds of the days.
  duration: { wire: z.int(), accepts: durationSchema, changedAt: 'time_at', label: 'Time' },
  /** Null for a 'total', which has no start. */
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
  /** The last day of the session. When sessions are counted by day, the session counts on this day. */
  ended_on: { wire: daySchema, changedAt: 'time_at', label: 'Time', visibility: 'server-only' },
} as const satisfies Fields
