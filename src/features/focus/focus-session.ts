import * as z from 'zod/mini'
import { daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'

/** A stretch of focused seconds that was recorded, as it travels; the seconds of its days add up to `duration`. */
export const focusSessionSchema = z.object({
  id: z.string(),
  duration: z.int(),
  started_at: z.string(),
  ended_at: z.string(),
  /** In order; pauses are why they may be fewer seconds than lie between start and end. */
  days: z.array(z.object({ day: daySchema, seconds: z.int() })),
})
export type FocusSession = z.infer<typeof focusSessionSchema>

export const focusSessionListSchema = z.object({ sessions: z.array(focusSessionSchema) })

/** A session counts once, on the last of its days; its seconds count on the day that they fall on. */
export const completedFocusSchema = z.object({
  count: z.int(),
  seconds: z.int(),
  days: z.array(z.object({ day: z.string(), count: z.int(), seconds: z.int() })),
})
export type CompletedFocus = z.infer<typeof completedFocusSchema>

const secondsSchema = z.int('Expected whole seconds').check(z.minimum(1, 'Expected at least one second'))

export const durationSchema = secondsSchema.check(z.maximum(86_400, 'Expected at most 86,400 seconds'))

export const focusDaysSchema = z.array(z.object({ day: daySchema, seconds: secondsSchema })).check(
  z.minLength(1, 'Expected at least one day'),
  z.maxLength(366, 'Expected at most 366 days'),
  z.refine((days) => new Set(days.map(({ day }) => day)).size === days.length, 'Expected each day once'),
)

export const newFocusSessionSchema = z
  .object({
    duration: durationSchema,
    id: z.optional(rowIdSchema),
    started_at: z.optional(instantSchema),
    ended_at: z.optional(instantSchema),
    days: z.optional(focusDaysSchema),
    at: z.optional(instantSchema),
  })
  .check(
    z.refine(addUp, {
      path: ['days'],
      message: 'Expected the seconds of the days to add up to the duration',
    }),
  )

/** The seconds of the days, where there are any, are those of the whole. */
export function addUp({
  duration,
  days,
}: {
  duration: number
  days?: { seconds: number }[] | undefined
}): boolean {
  return days === undefined || days.reduce((sum, { seconds }) => sum + seconds, 0) === duration
}
