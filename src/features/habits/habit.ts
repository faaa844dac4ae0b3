import * as z from 'zod/mini'
import { daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { editShape, newShape, wireShape } from '#platform/wire/synced-row.ts'
import { habitRow } from './habit-row.ts'

/** For requests only, which have always accepted spaces around it. */
const frequencySchema = z.pipe(
  z.string().check(z.trim()),
  z.enum(['daily', 'weekly'], 'Expected daily or weekly'),
)

/** Something to do every day or every week, as it is sent. */
export const habitSchema = z.object({
  ...wireShape(habitRow),
  completed: z.boolean(),
  current_streak: z.number(),
  longest_streak: z.number(),
  completion_rate: z.nullable(z.number()),
  /** The completed days among the last seven. */
  recent: z.array(daySchema),
  /** With these two, streaks can be recomputed before the server responds when one of the last days is changed. */
  earlier: z.object({ from: daySchema, run: z.number(), longest: z.number() }),
  since: z.array(daySchema),
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
 * The same by name, with each name sent once: a day lists the habits that were due on it, in order, as indexes into
 * `habits`. If the range is too much for one response, the response ends early: `next` is the day from which to
 * continue, in a request with the `list` received so far, and as long as that is still the same list, `habits` is null.
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

export const newHabitSchema = z.object({
  ...newShape(habitRow),
  frequency: z._default(frequencySchema, 'daily'),
  start_date: daySchema,
  id: z.optional(rowIdSchema),
  at: z.optional(instantSchema),
})

export const habitChangeSchema = z.object({
  ...editShape(habitRow),
  frequency: z.optional(frequencySchema),
  at: z.optional(instantSchema),
})

export const completeSchema = z.object({
  date: z.optional(daySchema),
  completed: z.optional(z.boolean()),
  at: z.optional(instantSchema),
})
