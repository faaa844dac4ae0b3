import * as z from 'zod/mini'
import { readKnown } from '#platform/wire/known-forms.ts'
import { localShape } from '#platform/wire/synced-row.ts'
import { focusRow } from './focus-row.ts'
import { type FocusSession, sessionDaysSchema, sessionNones } from './focus-session.ts'

/** As stored on the device, possibly by the version before. */
const storedSchema = z.object({
  sessions: z.array(z.object({ ...localShape(focusRow), days: sessionDaysSchema })),
})

/** A device has all sessions of so many days: one less than it reads, as its today may be a day behind the server's. */
export const daysOfSessions = 29

/** The collection of the sessions of the last 30 days. Other features count what was focused on their rows. */
export const focusSessionList = {
  name: 'focus-sessions',
  path: '/api/focus',
  rows: (response: unknown): FocusSession[] =>
    readKnown(storedSchema, response, { sessions: sessionNones }).sessions,
}
