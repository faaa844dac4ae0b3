import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts'
import { instantOf } from '#platform/http/when.ts'
import {
  focusTimerChangeSchema,
  focusTimerResponseSchema,
  knowsPhases,
  standingToWire,
} from '../focus-timer.ts'
import { forOlderClient } from '../older-client.ts'
import type { StandingTimer } from '../timer-merge.ts'
import { readFocusTimer, storeFocusTimer } from './focus-timer-store.ts'

const answers = { 200: focusTimerResponseSchema }
const ofClient = z.object({ 'daymark-timer': z.optional(z.string()) })
type OfClient = z.infer<typeof ofClient>

/** The endpoints of a user's one focus timer, shared by all of their devices. `clock` returns the time. */
export function focusTimerEndpoints(database: Database, clock: () => Instant): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/focus/timer',
      summary:
        'The focus timer as it was last left, on whichever device; without the header `Daymark-Timer: phases` idle while a phase stands',
      changesWith: 'writes',
      takes: { headers: ofClient },
      answers,
      async handle({ user, headers }) {
        return { status: 200, body: answered(await readFocusTimer(database, user), headers) }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/focus/timer',
      summary: 'Change the focus timer; what was pressed later stays, and what stands is answered',
      takes: { headers: ofClient, body: focusTimerChangeSchema },
      answers,
      async handle({ user, headers, body: { timer, at } }) {
        const now = clock()
        const sent = { timer, at: instantOf(at, now) }
        const standing = await storeFocusTimer(database, user, sent, { isOlder: isOlder(headers), now })
        return { status: 200, body: answered(standing, headers) }
      },
    }),
  ]
}

function answered(standing: StandingTimer | undefined, headers: OfClient) {
  if (!standing || !isOlder(headers)) return standingToWire(standing)
  return standingToWire({ ...standing, timer: forOlderClient(standing.timer) })
}

function isOlder(headers: OfClient): boolean {
  return headers['daymark-timer'] !== knowsPhases['daymark-timer']
}
