import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'

// The occurrences of a repeating to-do, as they are sent.

const stateSchema = z.enum(['done', 'skipped', 'open'], "Expected 'done', 'skipped' or 'open'")

export const occurrenceSchema = z.object({
  day: daySchema,
  state: stateSchema,
  done_on: z.nullable(daySchema),
  moved_to: z.nullable(daySchema),
})

/** `done_on`: the person's own day on which it was done or skipped; today when left out. */
export const occurrenceChangeSchema = z.object({
  state: stateSchema,
  done_on: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/** `at`: when the state was written. */
const settledDaySchema = z.extend(occurrenceSchema, { at: z.string() })
export type SettledDay = z.infer<typeof settledDaySchema>

/** Sent with repeating to-dos; `settled` also with their subtasks. */
export const occurrencesShape = {
  /** How many occurrences were missed in the last year. */
  missed: z.optional(z.number()),
  /** The state of occurrences since `settled_from`, and of the last one of the series before that day. */
  settled: z.optional(z.array(settledDaySchema)),
  /** The earlier occurrences are summed up; null: `settled` contains all. */
  settled_from: z.optional(z.nullable(daySchema)),
  done_before: z.optional(z.number()),
  missed_before: z.optional(z.number()),
}
