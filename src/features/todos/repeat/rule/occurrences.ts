import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'

// What became of the occurrences of a to-do that repeats, as it is sent.

const stateSchema = z.enum(['done', 'skipped', 'open'], "Expected 'done', 'skipped' or 'open'")

export const occurrenceSchema = z.object({
  day: daySchema,
  state: stateSchema,
  done_on: z.nullable(daySchema),
  moved_to: z.nullable(daySchema),
})

/** `done_on`: when it was done or skipped, by the person's own days; today when left out. */
export const occurrenceChangeSchema = z.object({
  state: stateSchema,
  done_on: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/** `at`: when that was written. */
const settledDaySchema = z.extend(occurrenceSchema, { at: z.string() })
export type SettledDay = z.infer<typeof settledDaySchema>

/** With a to-do that repeats; `settled` with its subtasks, too. */
export const occurrencesShape = {
  /** How many were missed in the last year. */
  missed: z.optional(z.number()),
  /** What became of its occurrences since `settled_from`, and of the last one of the series before. */
  settled: z.optional(z.array(settledDaySchema)),
  /** Null: `settled` has all of them. */
  settled_from: z.optional(z.nullable(daySchema)),
  done_before: z.optional(z.number()),
  missed_before: z.optional(z.number()),
}
