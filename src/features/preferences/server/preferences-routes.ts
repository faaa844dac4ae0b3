import * as z from 'zod/mini'
import { changeInstantSchema, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint/endpoint.ts'
import { instantOf } from '#platform/http/row-calls/when.ts'
import { preferencesResponseSchema } from '../preferences.ts'
import { preferencesChangeSchema } from '../preferences-requests.ts'
import { readPreferences, storePreferences, type ZoneChanged } from './preferences-store.ts'

const responses = { 200: preferencesResponseSchema }

/** The endpoints of preferences. `zoneChanged` runs in the transaction that changes the time zone. */
export function preferencesEndpoints(
  database: Database,
  clock: () => Instant,
  zoneChanged: ZoneChanged,
): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/preferences',
      summary: 'Time zone, day start, week start, theme and the order of to-dos',
      changesWith: 'writes',
      takes: {},
      responses,
      async handle({ user }) {
        return { status: 200, body: { preferences: await readPreferences(database, user) } }
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/preferences',
      summary: 'Change some of them; no stored day is rewritten',
      // A new time zone moves the alarms of all habits.
      work: 'heavy',
      takes: { body: z.extend(preferencesChangeSchema, { at: z.optional(changeInstantSchema) }) },
      responses,
      async handle({ user, body: { at, ...change } }) {
        const preferences = await storePreferences(
          database,
          user,
          change,
          instantOf(at, clock()),
          zoneChanged,
        )
        return { status: 200, body: { preferences } }
      },
    }),
  ]
}
