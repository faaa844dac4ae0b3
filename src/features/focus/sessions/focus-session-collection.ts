import * as z from 'zod/mini'
import { readKnown } from '#platform/wire/known-forms.ts'
import { localShape } from '#platform/wire/synced-row.ts'
import { focusRow } from './focus-row.ts'
import { type FocusSession, sessionDaysSchema, sessionNones } from './focus-session.ts'

/** The sessions as stored on the device, possibly by the previous version of the app. */
const storedSchema = z.object({
  sessions: z.array(z.object({ ...localShape(focusRow), days: sessionDaysSchema })),
})

/**
 * The number of days whose sessions a device surely has. The device reads 30 days, but its current day may be one behind the
 * server's.
 */
export const daysOfSessions = 29

/** The collection of the sessions of the last 30 days. Other features use it to count the focus on their rows. */
export const focusSessionCollection = {
  name: 'focus-sessions',
  path: '/api/focus',
  rows: (response: unknown): FocusSession[] =>
    readKnown(storedSchema, response, { sessions: sessionNones }).sessions,
}
