import * as z from 'zod/mini'
import { reminderSchema } from '#features/reminders/reminder/reminder.ts'
import { daySchema, instantTextSchema, longAgo } from '#platform/calendar/day.ts'
import { newestLast, positionSchema } from '#platform/order/position.ts'
import { positionField, unmoved } from '#platform/order/position-field.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import type { Fields } from '#platform/wire/synced-row.ts'
import { optionalTextSchema, textSchema } from '#platform/wire/text.ts'
import { reminderColumns, reminderOf } from '../reminder/reminder-columns.ts'

export const habitNameSchema = textSchema('Name', 500)
export const descriptionSchema = optionalTextSchema('Description', 5_000)

const position = positionField(newestLast)

/** The position by which a habit is sorted, whether or not it has been moved. */
export const { positionOf } = position

/** Every stored field of a habit except its rhythms. Its numbers are computed. */
export const habitRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  name: { wire: z.string(), accepts: habitNameSchema, none: 'Untitled', changedAt: 'name_at', label: 'Name' },
  description: {
    wire: z.string(),
    accepts: descriptionSchema,
    initial: '',
    changedAt: 'description_at',
    label: 'Description',
  },
  /** The start that the person chose; the habit begins earlier if an earlier day was entered since. */
  start_date: { wire: daySchema, column: 'start_day', changedAt: 'start_at', label: 'Start' },
  reminder: {
    wire: z.nullable(reminderSchema),
    whenMissing: null,
    changedAt: 'reminder_changed_at',
    label: 'Reminder',
    stored: { toColumns: reminderColumns, fromColumns: reminderOf },
  },
  /** The habit's place in the order of all habits (`positionOf`). */
  position: {
    wire: z.string(),
    accepts: positionSchema,
    whenMissing: unmoved,
    stored: position.stored,
    changedAt: 'position_at',
    label: 'Place',
  },
  /** When the habit was archived; null while it is in use. */
  archived_at: {
    wire: z.nullable(instantTextSchema),
    whenMissing: null,
    stored: 'instant',
    changedAt: 'archive_changed_at',
    label: 'Archiving',
  },
  created_at: { wire: instantTextSchema, stored: 'instant', none: longAgo },
} as const satisfies Fields
