import * as z from 'zod/mini'
import { daySchema, instantFromWire, instantTextSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import type { Fields } from '#platform/wire/synced-row.ts'
import { textSchema } from '#platform/wire/text.ts'

export const completedSchema = z.union([z.literal(0), z.literal(1)], 'Expected 0 or 1')

export const titleSchema = textSchema('Title', 500)

export const dueDaySchema = daySchema.check(
  z.refine((day) => day <= '2199-12-31', 'Expected a day before 2200'),
)

const [firstReminder, endOfReminders] = [Date.UTC(2000, 0, 1), Date.UTC(2200, 0, 1)]
export const remindAtSchema = instantTextSchema.check(
  z.refine((text) => {
    const instant = instantFromWire(text)
    return instant >= firstReminder && instant < endOfReminders
  }, 'Expected an instant from 2000 to 2199'),
)

/** Every field of a to-do, in the order in which they are sent. */
export const todoRow = {
  id: { wire: z.string(), accepts: rowIdSchema },
  title: { wire: z.string(), accepts: titleSchema, changedAt: 'title_at' },
  // These three change together, by a request of their own.
  completed: { wire: z.union([z.literal(0), z.literal(1)]), accepts: completedSchema, initial: 0 },
  completed_at: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(instantTextSchema),
    initial: null,
    stored: 'instant',
  },
  /** The person's own day on which it was completed. */
  completed_on: { wire: z.nullable(daySchema), initial: null, visibility: 'file-only' },
  /** The person's own day by which it is due. */
  due_day: {
    wire: z.nullable(daySchema),
    accepts: z.nullable(dueDaySchema),
    whenMissing: null,
    changedAt: 'due_day_at',
  },
  /** The instant at which to remind the person. */
  remind_at: {
    wire: z.nullable(z.string()),
    accepts: z.nullable(remindAtSchema),
    whenMissing: null,
    stored: 'instant',
    changedAt: 'remind_changed_at',
  },
  created_at: { wire: z.string(), accepts: instantTextSchema, stored: 'instant' },
  updated_at: { wire: z.string(), accepts: instantTextSchema, stored: 'instant' },
} as const satisfies Fields
