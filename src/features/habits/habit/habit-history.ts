import * as z from 'zod/mini'
import { daySchema, longAgo } from '#platform/calendar/day.ts'

// As the server answers them: what may be sent is in `rhythm-schema.ts`.
export const answeredRhythmSchema = z.union([
  z.object({ times: z.number(), per: z.enum(['week', 'month']) }),
  z.object({ times: z.number(), days: z.number() }),
  z.object({ weekdays: z.array(z.number()) }),
  z.object({ every: z.number() }),
])
export const answeredTargetSchema = z.union([
  z.literal('yes'),
  z.object({
    at: z.enum(['least', 'most']),
    amount: z.number(),
    unit: z.string(),
    per: z.enum(['day', 'week', 'month']),
  }),
])

/** A row of the rhythms of a habit: what holds from a day on. Null: as in the row before. */
const rhythmRowSchema = z.object({
  from_day: daySchema,
  rhythm: z.nullable(answeredRhythmSchema),
  target: z.nullable(answeredTargetSchema),
})

/** An amount that was added on a day, or to which it was set, in thousandths. */
export const amountEntrySchema = z.object({
  id: z.string(),
  day: daySchema,
  value: z.int(),
  set: z.boolean(),
  /**
   * Of a day's latest set: those of the adds and focus sessions which it replaces that are in the same answer. An earlier set leaves
   * it out.
   */
  settles: z.optional(z.array(z.string())),
  at: z.string(),
})

/** What of a focus session lies on a day of the habit that it belongs to. `at`: when it was given to the habit. */
const focusedSessionSchema = z.object({ id: z.string(), day: daySchema, seconds: z.int(), at: z.string() })

const recordsSchema = z.object({ days: z.number(), weeks: z.number(), months: z.number(), times: z.number() })
const strengthSchema = z.object({ mean: z.number(), weight: z.number() })

/** What the days before `from` add up to. With it, streaks can be recomputed before the server responds. */
const earlierSchema = z.object({
  from: daySchema,
  /** In the present unit, as the two numbers of a streak. */
  run: z.number(),
  longest: z.number(),
  records: recordsSchema,
  strength: strengthSchema,
  first_entry: z.nullable(daySchema),
  /** Of an archived habit: the same as if it were not, so that a device can take it back. */
  unarchived: z.optional(z.object({ run: z.number(), records: recordsSchema, strength: strengthSchema })),
  /** What it was summed up for (`nameOfSummary`). */
  name: z.string(),
})

const noStrength = { mean: 0, weight: 0 }
const noRecords = { days: 0, weeks: 0, months: 0, times: 0 }

/** What of it reads as what, where a form is not known: a sum that nobody knows has no name. */
export const historyNones = {
  chosen_start: undefined,
  earlier: {
    from: longAgo.slice(0, 10),
    run: 0,
    longest: 0,
    name: '',
    records: noRecords,
    strength: noStrength,
    first_entry: null,
  },
  since: [],
  rhythms: [],
  skipped: [],
  amounts: [],
  entries: [],
  sessions: [],
  'rhythms.rhythm': null,
  'rhythms.target': null,
  'entries.settles': undefined,
}

/** With this, and the pauses, the numbers of a habit can be recomputed before the server responds. */
export const historyShape = {
  /** The start as it was chosen, and when. `start_date` is earlier where something was entered since. */
  chosen_start: z.object({ day: daySchema, at: z.string() }),
  earlier: earlierSchema,
  /** The days done since `earlier.from`. */
  since: z.array(daySchema),
  rhythms: z.array(rhythmRowSchema),
  /** Since `earlier.from`, too. */
  skipped: z.array(daySchema),
  amounts: z.array(z.object({ day: daySchema, amount: z.int() })),
  /** The entries of the last 14 days, and of later ones; where the target is in minutes, of 30 days. */
  entries: z.array(amountEntrySchema),
  /** The same of the focus sessions that count, on days whose target is in minutes. */
  sessions: z.array(focusedSessionSchema),
}
