import * as z from 'zod/mini'
import { daySchema, longAgo } from '#platform/calendar/day.ts'

// Rhythms and targets in responses; `rhythm-schema.ts` has the stricter schemas for requests.
export const sentRhythmSchema = z.union([
  z.object({ times: z.number(), per: z.enum(['week', 'month']) }),
  z.object({ times: z.number(), days: z.number() }),
  z.object({ weekdays: z.array(z.number()) }),
  z.object({ every: z.number() }),
])
export const sentTargetSchema = z.union([
  z.literal('yes'),
  z.object({
    at: z.enum(['least', 'most']),
    amount: z.number(),
    unit: z.string(),
    per: z.enum(['day', 'week', 'month']),
  }),
])

/** A rhythm and target that hold from a day on. Null means: the same as in the row before. */
const rhythmRowSchema = z.object({
  from_day: daySchema,
  rhythm: z.nullable(sentRhythmSchema),
  target: z.nullable(sentTargetSchema),
})

/** One entry of a day: adds to the amount or sets it, in thousandths. */
export const amountEntrySchema = z.object({
  id: z.string(),
  day: daySchema,
  value: z.int(),
  set: z.boolean(),
  /**
   * For the latest set of a day: the ids of the adds and sessions that it replaces, limited to those in the same response. Left
   * out for earlier sets.
   */
  settles: z.optional(z.array(z.string())),
  at: z.string(),
})

/** The part of a focus session that falls on a day of its habit. `at` is when the session was given to the habit. */
const focusedSessionSchema = z.object({ id: z.string(), day: daySchema, seconds: z.int(), at: z.string() })

const recordsSchema = z.object({ days: z.number(), weeks: z.number(), months: z.number(), times: z.number() })
const strengthSchema = z.object({ mean: z.number(), weight: z.number() })

/** The sum of the days before `from`. With it, a device can recompute streaks before the server responds. */
const earlierSchema = z.object({
  from: daySchema,
  /**
   * The streak that ends right before `from`; `longest` is the longest streak. Both count in the current unit, such as days or
   * weeks.
   */
  run: z.number(),
  longest: z.number(),
  records: recordsSchema,
  strength: strengthSchema,
  first_entry: z.nullable(daySchema),
  /** For an archived habit: these numbers as if it were not archived, so that a device can take it out of the archive. */
  unarchived: z.optional(z.object({ run: z.number(), records: recordsSchema, strength: strengthSchema })),
  /** Names the rhythms, targets and week start that the sum was made for (`nameOfSummary`). */
  name: z.string(),
})

const noStrength = { mean: 0, weight: 0 }
const noRecords = { days: 0, weeks: 0, months: 0, times: 0 }

/** Fallbacks for values in a format that this build does not know. An unknown sum has an empty name. */
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

/** With these fields and the pauses, a device can recompute the numbers of a habit before the server responds. */
export const historyShape = {
  /**
   * The start that the person chose, and when they chose it. `start_date` is earlier if they entered an earlier day after that
   * choice.
   */
  chosen_start: z.object({ day: daySchema, at: z.string() }),
  earlier: earlierSchema,
  /** The days done since `earlier.from`. */
  since: z.array(daySchema),
  rhythms: z.array(rhythmRowSchema),
  /** The days skipped since `earlier.from`. */
  skipped: z.array(daySchema),
  amounts: z.array(z.object({ day: daySchema, amount: z.int() })),
  /** The entries of the last 14 days and of any later days. If the target is in minutes, the entries of the last 30 days. */
  entries: z.array(amountEntrySchema),
  /** The focus sessions that count, on the days that `entries` covers and on which the target is in minutes. */
  sessions: z.array(focusedSessionSchema),
}
