import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import { addedAmountResponseSchema, habitDaysSchema } from '#features/habits/habit/habit.ts'
import { dayChangeSchema, newAmountSchema } from '#features/habits/habit/habit-requests.ts'
import { habitResponse, oneHabitSchema } from '#features/habits/habit/server/habit-response.ts'
import { showWritten } from '#features/habits/habit/server/show-habit.ts'
import type { UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'
import { rangeOf, rangeSchema } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint/endpoint.ts'
import { notFound } from '#platform/http/request/error-response.ts'
import { addedResponse, changeQuery, rowParams } from '#platform/http/row-calls/row-calls.ts'
import { madeAt, refuseField, refuseFutureDay } from '#platform/http/row-calls/when.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { addAmount, removeAmount, restoreAmount } from './amount-store.ts'
import { changeDay } from './completion-store.ts'
import { listDays } from './day-list-store.ts'

/** The longest range that one request may list or undo, in days; enough for a leap year. */
export const aYear = 366

const dayParams = z.object({ ...rowParams.shape, day: daySchema })
const amountParams = z.object({ ...rowParams.shape, amountId: rowIdSchema })

/** The endpoints for single days of a habit: state, note and amounts. */
export function habitDayEndpoints({
  database,
  clock,
  timeOf,
  dayDecided,
}: {
  database: Database
  clock: () => Instant
  timeOf(user: string): Promise<UserTime>
  dayDecided(user: string, day: Day, at: Instant, now: Instant): Promise<Day>
}): Endpoint[] {
  return [
    endpoint({
      method: 'PUT',
      path: '/api/habits/{id}/days/{day}',
      summary: 'Say of a day that it was done, is skipped, or neither, and write its note',
      takes: { params: dayParams, body: dayChangeSchema },
      responses: { 200: oneHabitSchema },
      errors: [422],
      async handle({ user, params, body: { at, keeps_amount: keepsAmount, ...change } }) {
        const now = clock()
        const stamp = madeAt(at, now)
        const isDone = change.state === 'done'
        const error = isDone && refuseFutureDay('day', params.day, now, at)
        if (error) return error
        const day = isDone ? await dayDecided(user, params.day, stamp.at, now) : params.day
        const time = await timeOf(user)
        return habitResponse(
          await changeDay(database, user, params.id, { ...change, keepsAmount, day, ...stamp }, time),
        )
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/habits/{id}/days',
      summary: 'What became of each day of a range of a year at most, with its amount and note',
      changesWith: 'writes and days',
      takes: { params: rowParams, query: rangeSchema },
      responses: { 200: habitDaysSchema },
      async handle({ user, params, query }) {
        const time = await timeOf(user)
        const range = rangeOf(query, time.today, aYear)
        if ('problem' in range) return refuseField('to', range.problem)
        const days = await listDays(database, user, params.id, range, time)
        return days ? { status: 200, body: { days } } : notFound
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/habits/{id}/amounts',
      summary:
        'Add to the amount of a day, or set it, in thousandths; the same id again answers 200 and what is stored',
      takes: { params: rowParams, body: newAmountSchema },
      responses: { 200: addedAmountResponseSchema, 201: addedAmountResponseSchema },
      errors: [422],
      async handle({ user, params, body: { id = randomUUIDv7(), at, ...entry } }) {
        const now = clock()
        const error = refuseFutureDay('day', entry.day, now, at)
        if (error) return error
        const stamp = madeAt(at, now)
        const day = await dayDecided(user, entry.day, stamp.at, now)
        const time = await timeOf(user)
        const added = await addAmount(database, user, params.id, id, { ...entry, day, ...stamp }, time)
        return addedResponse(added, ({ entry, habit }) => ({ amount: showWritten(entry, habit), habit }))
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/habits/{id}/amounts/{amountId}',
      summary: 'Take an entry of an amount away; it can be taken back for 30 days',
      takes: { params: amountParams, query: changeQuery },
      responses: { 200: oneHabitSchema },
      async handle({ user, params, query }) {
        const stamp = madeAt(query.at, clock())
        const time = await timeOf(user)
        return habitResponse(await removeAmount(database, user, params.id, params.amountId, stamp, time))
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/habits/{id}/amounts/{amountId}/restore',
      summary: 'Bring an entry of an amount back',
      takes: { params: amountParams, query: changeQuery },
      responses: { 200: oneHabitSchema },
      async handle({ user, params, query }) {
        const stamp = madeAt(query.at, clock())
        const time = await timeOf(user)
        return habitResponse(await restoreAmount(database, user, params.id, params.amountId, stamp, time))
      },
    }),
  ]
}
