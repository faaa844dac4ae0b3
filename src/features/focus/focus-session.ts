import * as z from 'zod/mini'
import { type Day, daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { wireShape } from '#platform/wire/synced-row.ts'
import { durationSchema, focusRow, secondsSchema } from './focus-row.ts'

/** A recorded session as it is sent; the seconds of its days add up to `duration`. */
export const focusSessionSchema = z.object({
  ...wireShape(focusRow),
  /** In order. Because of pauses they may add up to less than the time from start to end. */
  days: z.array(z.object({ day: daySchema, seconds: z.int() })),
})
export type FocusSession = z.infer<typeof focusSessionSchema>

/** The part of a session that lies in one of the person's days. */
export function secondsOn({ days }: FocusSession, day: Day): number {
  return days.find((part) => part.day === day)?.seconds ?? 0
}

export const focusSessionListSchema = z.object({ sessions: z.array(focusSessionSchema) })

/** A session counts once, on its last day; its seconds count on the days on which they passed. */
export const completedFocusSchema = z.object({
  count: z.int(),
  seconds: z.int(),
  days: z.array(z.object({ day: z.string(), count: z.int(), seconds: z.int() })),
})
export type CompletedFocus = z.infer<typeof completedFocusSchema>

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

/** The seconds of the days, if there are any, make up the whole duration. */
export function addUp({
  duration,
  days,
}: {
  duration: number
  days?: { seconds: number }[] | undefined
}): boolean {
  return days === undefined || days.reduce((sum, { seconds }) => sum + seconds, 0) === duration
}
