import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint.ts'
import { notFound } from '#platform/http/error-response.ts'
import { deletionEndpoints, rowParams } from '#platform/http/row-calls.ts'
import { refuseTooManyRows } from '#platform/http/too-many-rows.ts'
import { instantOf, madeAt } from '#platform/http/when.ts'
import { writeList } from '#platform/http/written.ts'
import { newPauseSchema, pauseEditSchema } from '../habit-requests.ts'
import { pauseListSchema, pauseSchema } from '../pause.ts'
import { addPause, changePause, deletePause, listPauses, restorePause } from './pause-store.ts'

const onePauseSchema = z.object({ pause: pauseSchema })

/** The endpoints of the pauses of habits. `clock` returns the time. */
export function pauseEndpoints({
  database,
  clock,
}: {
  database: Database
  clock: () => Instant
}): Endpoint[] {
  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/pauses',
      summary: 'Every pause of a habit, or of all of them, in the order in which they were made',
      changesWith: 'writes',
      takes: {},
      answers: { 200: pauseListSchema },
      async handle({ user }) {
        return { written: writeList('pauses', listPauses(database, user)) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/pauses',
      summary:
        'Pause a habit, or all of them, for a range of days or until resumed; the same id again answers 200 and what is stored',
      takes: { body: newPauseSchema },
      answers: { 200: onePauseSchema, 201: onePauseSchema },
      errors: [404, 422],
      async handle({ user, body: { id = randomUUIDv7(), at, ...fields } }) {
        const added = await addPause(database, user, id, { ...fields, at: instantOf(at, clock()) })
        if (added === 'deleted') return notFound
        if (added instanceof TooManyRows) return refuseTooManyRows(added)
        return { status: added.created ? 201 : 200, body: { pause: added.pause } }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/pauses/{id}',
      summary: 'Change the first or the last day of a pause; null as the last day: until resumed',
      takes: { params: rowParams, body: pauseEditSchema },
      answers: { 200: onePauseSchema },
      async handle({ user, params, body }) {
        const pause = await changePause(database, user, params.id, { ...body, ...madeAt(body.at, clock()) })
        return pause ? { status: 200, body: { pause } } : notFound
      },
    }),
    ...deletionEndpoints({
      path: '/api/pauses',
      one: 'a pause',
      clock,
      shown: onePauseSchema,
      remove: (user, id, at) => deletePause(database, user, id, at),
      async restore(user, id, at) {
        const pause = await restorePause(database, user, id, at)
        return pause && { pause }
      },
    }),
  ]
}
