import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import { subjectChange } from '#features/focus/subjects/focus-subject.ts'
import { type Day, dayOf, type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import { rangeOf, rangeSchema } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { notFound } from '#platform/http/request/error-response.ts'
import { writeCollection } from '#platform/http/responses/written.ts'
import {
  addedResponse,
  changedResponse,
  deletionEndpoints,
  rowParams,
} from '#platform/http/row-calls/row-calls.ts'
import { instantOf, madeAt, refuseField } from '#platform/http/row-calls/when.ts'
import { focusSessionChangeSchema, newFocusSessionSchema } from '../focus-requests.ts'
import { completedFocusSchema, focusSessionCollectionSchema, focusSessionSchema } from '../focus-session.ts'
import {
  addFocusSession,
  changeFocusSession,
  completedFocus,
  deleteFocusSession,
  findFocusSession,
  listFocusSessions,
  restoreFocusSession,
} from './focus-store.ts'
import { type DayCalendar, placeChange, placeSession } from './place-session.ts'
import type { SessionsChanged } from './session-habit-store.ts'

const oneSessionSchema = z.object({ session: focusSessionSchema })

/**
 * The endpoints of the focus sessions. `clock` returns the current instant; `calendarOf` returns the user's time zone and day
 * start.
 */
export function focusEndpoints({
  database,
  clock,
  calendarOf,
  sessionsChanged,
}: {
  database: Database
  clock: () => Instant
  calendarOf: (user: string) => Promise<DayCalendar>
  sessionsChanged: SessionsChanged
}): Endpoint[] {
  async function todayOf(user: string): Promise<Day> {
    const { time_zone, day_start } = await calendarOf(user)
    return dayOf(clock(), time_zone, day_start)
  }

  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/focus',
      summary: 'The focus sessions with seconds on some day of a range, the newest first',
      changesWith: 'writes and days',
      takes: { query: rangeSchema },
      responses: { 200: focusSessionCollectionSchema },
      async handle({ user, query }) {
        // The response contains only existing sessions, so the range may be of any length.
        const range = rangeOf(query, await todayOf(user), Number.POSITIVE_INFINITY)
        if ('problem' in range) return refuseField('to', range.problem)
        // After a flight west there may be sessions dated tomorrow. A range without an end includes them.
        const latest = latestDayAnywhere(clock())
        const to = query.to === undefined && latest > range.to ? latest : range.to
        return {
          written: writeCollection('sessions', listFocusSessions(database, user, { from: range.from, to })),
        }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/focus/completed',
      summary: 'Focus sessions and focused seconds on every day of a range',
      changesWith: 'writes and days',
      takes: { query: rangeSchema },
      responses: { 200: completedFocusSchema },
      async handle({ user, query }) {
        const range = rangeOf(query, await todayOf(user))
        if ('problem' in range) return refuseField('to', range.problem)
        return { status: 200, body: await completedFocus(database, user, range) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/focus',
      summary: 'Record a focus session; the same id again answers 200 and what is stored',
      takes: { body: newFocusSessionSchema },
      responses: { 200: oneSessionSchema, 201: oneSessionSchema },
      errors: [404, 422],
      async handle({ user, body }) {
        const now = clock()
        const placed = await placeSession(body, now, () => calendarOf(user))
        if ('error' in placed) return placed.error
        const { id = randomUUIDv7(), duration, kind, todo_id = null, habit_id = null } = body
        const addition = {
          ...placed,
          duration,
          kind: kind ?? 'countdown',
          todo_id,
          habit_id,
          // A client that sends no kind has no timer, so it never corrects a session by sending it again.
          replaces: kind !== undefined,
          at: instantOf(body.at, now),
        }
        const added = await addFocusSession(database, user, id, addition, sessionsChanged)
        return addedResponse(added, ({ session }) => ({ session }))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/focus/{id}',
      summary: 'Correct a focus session: when it was and how long, or what it was about',
      takes: { params: rowParams, body: focusSessionChangeSchema },
      responses: { 200: oneSessionSchema },
      errors: [422],
      async handle({ user, params: { id }, body: { at, todo_id, habit_id, ...sent } }) {
        const now = clock()
        const { duration } = sent
        const stored = await findFocusSession(database, user, id)
        if (!stored) return notFound
        const time =
          duration === undefined
            ? undefined
            : await placeChange({ ...sent, duration, at }, stored, now, () => calendarOf(user))
        if (time && 'error' in time) return time.error
        const change = {
          ...subjectChange({ todo_id, habit_id }),
          ...(time && duration !== undefined && { time: { ...time, duration } }),
          ...madeAt(at, now),
        }
        const session = await changeFocusSession(database, user, id, change, sessionsChanged)
        return changedResponse(session, (session) => ({ session }))
      },
    }),
    ...deletionEndpoints({
      path: '/api/focus',
      one: 'a focus session',
      clock,
      shown: oneSessionSchema,
      remove: (user, id, at) => deleteFocusSession(database, user, id, at, sessionsChanged),
      async restore(user, id, at) {
        const session = await restoreFocusSession(database, user, id, at, sessionsChanged)
        return session && { session }
      },
    }),
  ]
}
