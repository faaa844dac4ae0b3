import * as z from 'zod/mini'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { type EditedOf, nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { focusRow } from './focus-row.ts'

/** In order. Because of pauses they may add up to less than the time from start to end. */
export const sessionDaysSchema = z.array(z.object({ day: daySchema, seconds: z.int() }))

/** A recorded session as it is sent; the seconds of its days add up to `duration`. */
export const focusSessionSchema = z.object({ ...wireShape(focusRow), days: sessionDaysSchema })
export type FocusSession = z.infer<typeof focusSessionSchema>

/** The part of a session that lies in one of the person's days. */
export function secondsOn({ days }: FocusSession, day: Day): number {
  return days.find((part) => part.day === day)?.seconds ?? 0
}

/** What of a session reads as what, where a form is not known. */
export const sessionNones = { ...nonesOf(focusRow), days: [] }

export const focusSessionListSchema = z.object({ sessions: z.array(focusSessionSchema) })

/**
 * A session counts once, on its last day; its seconds count on the days on which they passed. A total of a day adds its
 * seconds, and counts as no session.
 */
export const completedFocusSchema = z.object({
  count: z.int(),
  seconds: z.int(),
  days: z.array(z.object({ day: z.string(), count: z.int(), seconds: z.int() })),
})
export type CompletedFocus = z.infer<typeof completedFocusSchema>

/** What a device changes of a session. */
export type FocusSessionChange = Partial<EditedOf<typeof focusRow> & Pick<FocusSession, 'days'>>
