import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint/endpoint.ts'
import { instantOf } from '#platform/http/row-calls/when.ts'
import { focusTimerChangeSchema, focusTimerResponseSchema, standingToWire } from '../focus-timer.ts'
import { readFocusTimer, storeFocusTimer } from './focus-timer-store.ts'

const responses = { 200: focusTimerResponseSchema }
/** The endpoints of a user's one focus timer, shared by all of their devices. `clock` returns the current instant. */
export function focusTimerEndpoints(database: Database, clock: () => Instant): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/focus/timer',
      summary: 'The focus timer as it was last left, on whichever device',
      changesWith: 'writes',
      takes: {},
      responses,
      async handle({ user }) {
        return { status: 200, body: standingToWire(await readFocusTimer(database, user)) }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/focus/timer',
      summary: 'Change the focus timer; what was pressed later stays, and what stands is answered',
      takes: { body: focusTimerChangeSchema },
      responses,
      async handle({ user, body: { timer, at } }) {
        const now = clock()
        const standing = await storeFocusTimer(database, user, { timer, at: instantOf(at, now) }, now)
        return { status: 200, body: standingToWire(standing) }
      },
    }),
  ]
}
