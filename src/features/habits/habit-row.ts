import * as z from 'zod/mini'
import { type Reminder, reminderSchema } from '#features/reminders/reminder.ts'
import { daySchema, instantFromWire, instantTextSchema } from '#platform/calendar/day.ts'
import { isPosition, newestLast, positionSchema } from '#platform/order/position.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import type { Columns, Fields } from '#platform/wire/synced-row.ts'
import { optionalTextSchema, textSchema } from '#platform/wire/text.ts'

export const habitNameSchema = textSchema('Name', 500)
export const descriptionSchema = optionalTextSchema('Description', 5_000)

/** The columns of a reminder: both are set, or neither. */
export type ReminderColumns = {
  reminder_time: number | null
  reminder_weekdays: string | null
}

export function reminderOf({
  reminder_time: time,
  reminder_weekdays: weekdays,
}: ReminderColumns): Reminder | null {
  if (time === null || weekdays === null) return null
  return reminderSchema.parse({ time, weekdays: [...weekdays].map(Number) })
}

function reminderColumns(reminder: Reminder | null): ReminderColumns {
  return { reminder_time: reminder?.time ?? null, reminder_weekdays: reminder?.weekdays.join('') ?? null }
}

/** What `position` holds in rows that nobody has moved: these stand where their creation puts them, the newest last. */
export const unmoved = ''

/** The position by which a habit is sorted, wherever the row comes from. */
export function positionOf({
  id,
  position,
  created_at,
}: {
  id: string
  position: string
  created_at: string
}): string {
  return position === unmoved ? newestLast({ id, created: instantFromWire(created_at) }) : position
}

/** Null while nobody has moved the row. */
const storedPosition = {
  toColumns: (position: string) => ({ position: isPosition(position) ? position : null }),
  fromColumns: ({ id, position, created_at }: Columns) =>
    typeof position === 'string' ? position : newestLast({ id: String(id), created: Number(created_at) }),
}

/** Every stored field of a habit, but for its rhythms; its numbers are computed. */
export const habitRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  name: { wire: z.string(), accepts: habitNameSchema, changedAt: 'name_at' },
  description: {
    wire: z.string(),
    accepts: descriptionSchema,
    initial: '',
    changedAt: 'description_at',
  },
  start_date: { wire: daySchema, column: 'start_day' },
  reminder: {
    wire: z.nullable(reminderSchema),
    whenMissing: null,
    changedAt: 'reminder_changed_at',
    stored: { toColumns: reminderColumns, fromColumns: reminderOf },
  },
  /** Where it stands in the order of all habits (`positionOf`). */
  position: {
    wire: z.string(),
    accepts: positionSchema,
    whenMissing: unmoved,
    stored: storedPosition,
    changedAt: 'position_at',
  },
  /** The instant at which it was put away; null while it is in use. */
  archived_at: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(instantTextSchema),
    whenMissing: null,
    stored: 'instant',
    changedAt: 'archive_changed_at',
  },
  created_at: { wire: z.string(), accepts: instantTextSchema, stored: 'instant' },
} as const satisfies Fields
