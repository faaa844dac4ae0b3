import * as z from 'zod/mini'
import { daySchema, longAgo } from '#platform/calendar/day.ts'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { optionalTextSchema } from '#platform/wire/text.ts'
import { dayStates } from '../rhythm/day-state-names.ts'
import {
  amountEntrySchema,
  historyNones,
  historyShape,
  sentRhythmSchema,
  sentTargetSchema,
} from './habit-history.ts'
import { habitRow } from './habit-row.ts'

/** A habit as it is sent to devices. */
export const habitSchema = z.object({
  ...wireShape(habitRow),
  /** Daily or weekly, whichever is nearer to the rhythm: the specification knows only these two. */
  frequency: z.enum(['daily', 'weekly']),
  /** The rhythm and target that hold today. */
  rhythm: sentRhythmSchema,
  target: sentTargetSchema,
  completed: z.boolean(),
  today: z.object({ state: z.enum(dayStates), amount: z.nullable(z.int()) }),
  current_streak: z.number(),
  longest_streak: z.number(),
  completion_rate: z.nullable(z.number()),
  /** 0 to 100; null while too little is known. */
  strength: z.nullable(z.number()),
  /** The completed days among the last seven. */
  recent: z.array(daySchema),
  ...historyShape,
})
export type Habit = z.infer<typeof habitSchema>

/** Fallbacks for values in a format that this build does not know. */
export const habitNones = {
  ...nonesOf(habitRow),
  ...historyNones,
  chosen_start: { day: longAgo.slice(0, 10), at: longAgo },
  frequency: 'daily',
  rhythm: { every: 1 },
  target: 'yes',
  completed: false,
  today: { state: 'unknown', amount: null },
  current_streak: 0,
  longest_streak: 0,
  completion_rate: null,
  strength: null,
  recent: [],
}

export const habitCollectionSchema = z.object({ habits: z.array(habitSchema) })

export const completionsSchema = z.object({ days: z.array(daySchema) })

export const dayNoteSchema = optionalTextSchema('Note', 5_000)

/** The entry as it is stored, and the habit including it. */
export const addedAmountResponseSchema = z.object({ amount: amountEntrySchema, habit: habitSchema })

/** Each day of a range. */
export const habitDaysSchema = z.object({
  days: z.array(
    z.object({
      day: daySchema,
      state: z.enum(dayStates),
      /** The amount of the day in thousandths; null without an entry. */
      amount: z.nullable(z.int()),
      note: z.string(),
    }),
  ),
})
