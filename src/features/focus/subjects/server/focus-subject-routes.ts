import * as z from 'zod/mini'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { rangeOf, rangeSchema } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint/endpoint.ts'
import { refuseField } from '#platform/http/row-calls/when.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { focusBySubjectSchema, focusedSecondsSchema } from '../focus-by-subject.ts'
import { focusBySubject, focusedOnTodo, type SubjectNames } from './focus-subject-store.ts'

/** The longest range that one request may sum, in days; enough for a leap year. */
const aYear = 366

/** The endpoints that sum focused seconds by subject. */
export function focusSubjectEndpoints({
  database,
  clock,
  calendarOf,
  subjectNames,
}: {
  database: Database
  clock: () => Instant
  calendarOf: (user: string) => Promise<{ time_zone: string; day_start: number }>
  subjectNames: SubjectNames
}): Endpoint[] {
  const todayOf = async (user: string) => {
    const { time_zone, day_start } = await calendarOf(user)
    return dayOf(clock(), time_zone, day_start)
  }
  return [
    endpoint({
      method: 'GET',
      path: '/api/focus/subjects',
      summary: 'The seconds of a range of a year at most, by the to-do or habit that they were focused on',
      changesWith: 'writes and days',
      takes: { query: rangeSchema },
      responses: { 200: focusBySubjectSchema },
      async handle({ user, query }) {
        const range = rangeOf(query, await todayOf(user), aYear)
        if ('problem' in range) return refuseField('to', range.problem)
        const subjects = await focusBySubject(database, user, range, subjectNames)
        return { status: 200, body: { subjects } }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/focus/subjects/{todoId}',
      summary: 'The seconds that were focused on a to-do in a range of any length',
      changesWith: 'writes and days',
      takes: { params: z.object({ todoId: rowIdSchema }), query: rangeSchema },
      responses: { 200: focusedSecondsSchema },
      async handle({ user, params, query }) {
        const range = rangeOf(query, await todayOf(user), Number.POSITIVE_INFINITY)
        if ('problem' in range) return refuseField('to', range.problem)
        const seconds = await focusedOnTodo(database, user, params.todoId, range)
        return { status: 200, body: { seconds } }
      },
    }),
  ]
}
