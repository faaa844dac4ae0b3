import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'

/** What was due and completed on every day of a range, all habits together: one that is due n times counts n times. */
export const completedHabitsSchema = z.object({
  count: z.int(),
  days: z.array(z.object({ day: z.string(), completed: z.int(), due: z.int() })),
})

/**
 * The same by name, with each name sent once: a day lists the habits that were due on it, in order and as often as they
 * were, as indexes into `habits`. If the range is too much for one response, the response ends early: `next` is the day from which to
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
