import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'

// Schemas of the occurrences of a repeating to-do, as requests and responses contain them.

const stateSchema = z.enum(['done', 'skipped', 'open'], "Expected 'done', 'skipped' or 'open'")

export const occurrenceSchema = z.object({
  day: daySchema,
  state: stateSchema,
  done_on: z.nullable(daySchema),
  moved_to: z.nullable(daySchema),
})

/**
 * A request to change an occurrence. `done_on`: the person's own day on which the occurrence was done or skipped; today when left
 * out.
 */
export const occurrenceChangeSchema = z.object({
  state: stateSchema,
  done_on: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/** An occurrence with `at`, the instant at which its state was written. */
const settledDaySchema = z.extend(occurrenceSchema, { at: z.string() })
export type SettledDay = z.infer<typeof settledDaySchema>

/** Fields of repeating to-dos in responses; `settled` is also sent with their subtasks. */
export const occurrencesShape = {
  /** How many occurrences were missed in the last year. */
  missed: z.optional(z.number()),
  /** The state of occurrences since `settled_from`, and of the last occurrence before that day. */
  settled: z.optional(z.array(settledDaySchema)),
  /**
   * Occurrences before this day are summed up in `done_before` and `missed_before`. Null if `settled` contains all occurrences.
   */
  settled_from: z.optional(z.nullable(daySchema)),
  done_before: z.optional(z.number()),
  missed_before: z.optional(z.number()),
}
