import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { wireShape } from '#platform/wire/synced-row.ts'
import { optionalTextSchema } from '#platform/wire/text.ts'
import { habitRow } from './habit-row.ts'

// As the server answers them: what may be sent is in `rhythm-schema.ts`.
const rhythmSchema = z.union([
  z.object({ times: z.number(), per: z.enum(['week', 'month']) }),
  z.object({ times: z.number(), days: z.number() }),
  z.object({ weekdays: z.array(z.number()) }),
  z.object({ every: z.number() }),
])
const targetSchema = z.union([
  z.literal('yes'),
  z.object({
    at: z.enum(['least', 'most']),
    amount: z.number(),
    unit: z.string(),
    per: z.enum(['day', 'week', 'month']),
  }),
])

/** A row of the rhythms of a habit: what holds from a day on. Null: as in the row before. */
export const rhythmRowSchema = z.object({
  from_day: daySchema,
  rhythm: z.nullable(rhythmSchema),
  target: z.nullable(targetSchema),
})

/** What a day is: the first of these that holds. */
export const dayStates = ['done', 'skipped', 'paused', 'not_due', 'unknown', 'open', 'missed'] as const
export type DayState = (typeof dayStates)[number]

/** An amount that was added on a day, or to which it was set, in thousandths. */
export const amountEntrySchema = z.object({
  id: z.string(),
  day: daySchema,
  value: z.int(),
  set: z.boolean(),
  /** Of a set: the adds that it replaces. */
  settles: z.array(z.string()),
  at: z.string(),
})

/** What the days before `from` add up to. With it, streaks can be recomputed before the server responds. */
const earlierSchema = z.object({
  from: daySchema,
  /** In the present unit, as the two numbers of older clients. */
  run: z.number(),
  longest: z.number(),
  records: z.object({ days: z.number(), weeks: z.number(), months: z.number(), times: z.number() }),
  strength: z.object({ mean: z.number(), weight: z.number() }),
  first_entry: z.nullable(daySchema),
  /** What it was summed up for (`nameOfSummary`). */
  name: z.string(),
})

/** Something to do in a rhythm, as it is sent. */
export const habitSchema = z.object({
  ...wireShape(habitRow),
  /** The nearest that older clients know. */
  frequency: z.enum(['daily', 'weekly']),
  /** As they hold today. */
  rhythm: rhythmSchema,
  target: targetSchema,
  completed: z.boolean(),
  today: z.object({ state: z.enum(dayStates), amount: z.nullable(z.int()) }),
  current_streak: z.number(),
  longest_streak: z.number(),
  completion_rate: z.nullable(z.number()),
  /** 0 to 100; null while too little is known. */
  strength: z.nullable(z.number()),
  /** The completed days among the last seven. */
  recent: z.array(daySchema),
  // With the rest, and the pauses, all of these numbers can be recomputed before the server responds.
  earlier: earlierSchema,
  /** The days done since `earlier.from`. */
  since: z.array(daySchema),
  rhythms: z.array(rhythmRowSchema),
  /** Since `earlier.from`, too. */
  skipped: z.array(daySchema),
  amounts: z.array(z.object({ day: daySchema, amount: z.int() })),
  /** The entries of the last 14 days, and of later ones. */
  entries: z.array(amountEntrySchema),
})
export type Habit = z.infer<typeof habitSchema>

export const habitListSchema = z.object({ habits: z.array(habitSchema) })

export const completionsSchema = z.object({ days: z.array(daySchema) })

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

export const dayNoteSchema = optionalTextSchema('Note', 5_000)

/** The entry, as it is stored, and what the habit is with it. */
export const addedAmountAnswerSchema = z.object({ amount: amountEntrySchema, habit: habitSchema })

/** Each day of a range. */
export const habitDaysSchema = z.object({
  days: z.array(
    z.object({
      day: daySchema,
      state: z.enum(dayStates),
      /** In thousandths; null without an entry. */
      amount: z.nullable(z.int()),
      note: z.string(),
    }),
  ),
})
