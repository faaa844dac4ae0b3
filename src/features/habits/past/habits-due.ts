import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'

/**
 * How often habits were due and completed on each day of a range, all habits together. A habit that is due n times counts n
 * times.
 */
export const completedHabitsSchema = z.object({
  count: z.int(),
  days: z.array(z.object({ day: z.string(), completed: z.int(), due: z.int() })),
})

/**
 * Which habits were due and completed on each day. Each name is sent once: a day lists its due habits in order, each as often as
 * it was due, as indexes into `habits`. If the range is too long for one response, the response ends early, and `next` is the day
 * from which to continue. The next request sends the received `list`; if that list still applies, `habits` is null.
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
