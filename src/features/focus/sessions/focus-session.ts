import * as z from 'zod/mini'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { type EditedOf, nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { focusRow } from './focus-row.ts'

/** The seconds on each day, in order of the days. */
export const sessionDaysSchema = z.array(z.object({ day: daySchema, seconds: z.int() }))

/** A recorded session as sent over the wire. The seconds of its days add up to `duration`, which excludes pauses. */
export const focusSessionSchema = z.object({ ...wireShape(focusRow), days: sessionDaysSchema })
export type FocusSession = z.infer<typeof focusSessionSchema>

/** The seconds of the session that fall on this day. */
export function secondsOn({ days }: FocusSession, day: Day): number {
  return days.find((part) => part.day === day)?.seconds ?? 0
}

/** For each field, the value that replaces a stored value in a format that this version does not know. */
export const sessionNones = { ...nonesOf(focusRow), days: [] }

export const focusSessionCollectionSchema = z.object({ sessions: z.array(focusSessionSchema) })

/**
 * Sessions and focused seconds by day. A session counts once, on its last day; its seconds count on the days on which they
 * passed. The total of a day adds its seconds, but does not count as a session.
 */
export const completedFocusSchema = z.object({
  count: z.int(),
  seconds: z.int(),
  days: z.array(z.object({ day: z.string(), count: z.int(), seconds: z.int() })),
})
export type CompletedFocus = z.infer<typeof completedFocusSchema>

/** The fields of a session that a device can change. */
export type FocusSessionChange = Partial<EditedOf<typeof focusRow> & Pick<FocusSession, 'days'>>
