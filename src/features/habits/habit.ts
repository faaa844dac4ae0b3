import * as z from 'zod/mini'
import { reminderSchema } from '#features/reminders/reminder.ts'
import { daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { optionalTextSchema, textSchema } from '#platform/wire/text.ts'

const frequencySchema = z.pipe(
  z.string().check(z.trim()),
  z.enum(['daily', 'weekly'], 'Expected daily or weekly'),
)

/** Something to do every day or every week, as it travels. */
export const habitSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  frequency: z.enum(['daily', 'weekly']),
  start_date: daySchema,
  reminder: z.nullable(reminderSchema),
  completed: z.boolean(),
  current_streak: z.number(),
  longest_streak: z.number(),
  completion_rate: z.nullable(z.number()),
  /** The days completed among the last seven. */
  recent: z.array(daySchema),
  /** With these two the streaks can be counted anew when one of the last days is changed, before the server answers. */
  earlier: z.object({ from: daySchema, run: z.number(), longest: z.number() }),
  since: z.array(daySchema),
  created_at: z.string(),
})
export type Habit = z.infer<typeof habitSchema>

export const habitListSchema = z.object({ habits: z.array(habitSchema) })

export const completionsSchema = z.object({ days: z.array(daySchema) })

/** What was due and completed on every day of a range, all habits together. */
export const completedHabitsSchema = z.object({
  count: z.int(),
  days: z.array(z.object({ day: z.string(), completed: z.int(), due: z.int() })),
})

/**
 * The same by name, each said once: a day names those that were due on it by their places in `habits`, in order. Where a
 * range is too much for one answer, that ends early, and `next` is the day from which to ask on, with the `list` that is
 * known by then: as long as it is the same one, its `habits` are null.
 */
export const habitsDueSchema = z.object({
  list: z.string(),
  habits: z.nullable(
    z.array(z.object({ id: z.string(), name: z.string(), frequency: z.enum(['daily', 'weekly']) })),
  ),
  days: z.array(z.object({ day: daySchema, completed: z.array(z.int()), missed: z.array(z.int()) })),
  next: z.nullable(daySchema),
})
export type HabitsDue = z.infer<typeof habitsDueSchema>

export const habitNameSchema = textSchema('Name', 500)
export const descriptionSchema = optionalTextSchema('Description', 5_000)

export const newHabitSchema = z.object({
  name: habitNameSchema,
  description: z._default(descriptionSchema, ''),
  frequency: z._default(frequencySchema, 'daily'),
  start_date: daySchema,
  reminder: z.nullish(reminderSchema),
  id: z.optional(rowIdSchema),
  at: z.optional(instantSchema),
})

export const habitChangeSchema = z.object({
  name: z.optional(habitNameSchema),
  description: z.optional(descriptionSchema),
  frequency: z.optional(frequencySchema),
  reminder: z.nullish(reminderSchema),
  at: z.optional(instantSchema),
})

export const completeSchema = z.object({
  date: z.optional(daySchema),
  completed: z.optional(z.boolean()),
  at: z.optional(instantSchema),
})
