import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import type { Preferences } from '#features/preferences/preferences.ts'
import { type Day, dayOf, daySchema, type Instant } from '#platform/calendar/day.ts'
import { rangeOf, rangeSchema } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { notFound } from '#platform/http/request/error-response.ts'
import { changedSince, writeCollection } from '#platform/http/responses/written.ts'
import {
  addedResponse,
  changeQuery,
  deletionEndpoints,
  rowParams,
} from '#platform/http/row-calls/row-calls.ts'
import { dayThatIs, instantOf, madeAt, refuseField, refuseFutureDay } from '#platform/http/row-calls/when.ts'
import { completeDay, togglePeriod, undoCompletions } from '../days/server/completion-store.ts'
import { listCompletions } from '../days/server/day-list-store.ts'
import { aYear, habitDayEndpoints } from '../days/server/habit-day-routes.ts'
import { completionsSchema, habitCollectionSchema } from '../habit/habit.ts'
import { completeSchema, habitChangeSchema, newHabitSchema } from '../habit/habit-requests.ts'
import { listHabits, listHabitsAmong } from '../habit/server/habit-list-store.ts'
import { habitResponse, oneHabitSchema } from '../habit/server/habit-response.ts'
import { addHabit, changeHabit, deleteHabit, restoreHabit } from '../habit/server/habit-store.ts'
import { completedHabitsSchema, habitsDueSchema } from '../past/habits-due.ts'
import type { UserTime } from '../past/server/habit-days-store.ts'
import { completedHabits, countCompletedHabits, dueHabits } from '../past/server/habits-due-store.ts'

/**
 * The endpoints of the habits. `clock` returns the time, `preferencesOf` decides where the user's days and weeks begin, and
 * `zoneIn` returns the time zone of their reminders.
 */
export function habitEndpoints({
  database,
  clock,
  preferencesOf,
  zoneIn,
}: {
  database: Database
  clock: () => Instant
  preferencesOf: (user: string) => Promise<Preferences>
  zoneIn: (...args: [...Parameters<UserTime['zoneIn']>, user: string]) => Promise<string>
}): Endpoint[] {
  async function timeOf(user: string): Promise<UserTime> {
    const { time_zone, day_start, week_start } = await preferencesOf(user)
    const now = clock()
    const dayAt = (instant: Instant) => dayOf(instant, time_zone, day_start)
    return { today: dayAt(now), weekStart: week_start, dayAt, now, zoneIn: (tx) => zoneIn(tx, user) }
  }

  /**
   * The day that the user's device decided on. If that day is impossible, because the device's clock runs far ahead, the day of
   * the change.
   */
  async function dayDecided(user: string, day: Day, at: Instant, now: Instant): Promise<Day> {
    const { time_zone, day_start } = await preferencesOf(user)
    return dayThatIs(day, now) ?? dayOf(at, time_zone, day_start)
  }

  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/habits',
      summary: 'Every habit in its order, with its streaks, strength and the last days',
      changesWith: 'writes and days',
      byRevision: 'habits',
      takes: {},
      responses: { 200: habitCollectionSchema },
      async handle({ user, c: { changed } }) {
        const rows = changed && (await listHabitsAmong(database, user, changed.ids, await timeOf(user)))
        if (rows) return changedSince('habits', { ...changed, rows })
        return { written: writeCollection('habits', listHabits(database, user, await timeOf(user))) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/habits',
      summary: 'Add a habit; the same id again answers 200 and what is stored',
      takes: { body: newHabitSchema },
      responses: { 200: oneHabitSchema, 201: oneHabitSchema },
      errors: [404, 422],
      async handle({ user, body }) {
        const now = clock()
        const error = refuseFutureDay('start_date', body.start_date, now, body.at)
        if (error) return error
        const at = instantOf(body.at, now)
        const { id = randomUUIDv7(), ...fields } = body
        const addition = { ...fields, start_date: await dayDecided(user, body.start_date, at, now), at }
        const added = await addHabit(database, user, id, addition, await timeOf(user))
        return addedResponse(added, ({ habit }) => ({ habit }))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/habits/completed',
      summary:
        'How much was due and completed on every day of a range: what is due n times in a week or another period on each done day up to n, and the rest on its last day once it is over',
      changesWith: 'writes and days',
      takes: { query: rangeSchema },
      responses: { 200: completedHabitsSchema },
      async handle({ user, query }) {
        const time = await timeOf(user)
        const range = rangeOf(query, time.today)
        if ('problem' in range) return refuseField('to', range.problem)
        const days = await completedHabits(database, user, range, time)
        return { status: 200, body: { count: days.reduce((sum, { completed }) => sum + completed, 0), days } }
      },
    }),
    endpointWithContext({
      method: 'GET',
      path: '/api/habits/due',
      summary:
        'The habits that were due on every day of a range, as often as they were, by their places in the list of names, and from where to ask on; the names of the list that is known are left out',
      takes: { query: z.object({ ...rangeSchema.shape, list: z.optional(z.string()) }) },
      responses: { 200: habitsDueSchema },
      async handle({ user, query }) {
        const time = await timeOf(user)
        const range = rangeOf(query, time.today, aYear)
        if ('problem' in range) return refuseField('to', range.problem)
        const { page, names } = await dueHabits(database, user, range, query.list, time)
        if (!names) return { status: 200, body: { ...page, habits: null } }
        return { written: writeCollection('habits', names, page) }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/habits/completed/count',
      summary: 'Habits that are completed today, or in their week or month, and all that are not archived',
      changesWith: 'writes and days',
      takes: {},
      responses: { 200: z.object({ count: z.int(), total: z.int() }) },
      async handle({ user }) {
        return { status: 200, body: await countCompletedHabits(database, user, await timeOf(user)) }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/habits/{id}',
      summary:
        'Change any field of a habit; rhythm and target from a day on; null takes the reminder away, or the habit out of the archive',
      takes: { params: rowParams, body: habitChangeSchema },
      responses: { 200: oneHabitSchema },
      errors: [422],
      async handle({ user, params, body }) {
        const now = clock()
        const { start_date } = body
        const error = start_date && refuseFutureDay('start_date', start_date, now, body.at)
        if (error) return error
        const stamp = madeAt(body.at, now)
        const start = start_date && { start_date: await dayDecided(user, start_date, stamp.at, now) }
        const change = { ...body, ...stamp, ...start }
        return habitResponse(await changeHabit(database, user, params.id, change, await timeOf(user)))
      },
    }),
    ...deletionEndpoints({
      path: '/api/habits',
      one: 'a habit',
      along: 'its days included',
      clock,
      shown: oneHabitSchema,
      remove: (user, id, at) => deleteHabit(database, user, id, at),
      async restore(user, id, at) {
        const habit = await restoreHabit(database, user, id, at, await timeOf(user))
        return habit && { habit }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/habits/{id}/complete',
      summary:
        'Toggle today without a body, of a weekly habit its week; toggle or set one day with one; of an amount it is the tick',
      takes: { params: rowParams, body: z.optional(completeSchema) },
      responses: { 200: oneHabitSchema },
      errors: [422],
      async handle({ user, params, body = {} }) {
        const now = clock()
        const error = refuseFutureDay('date', body.date, now, body.at)
        if (error) return error
        const time = await timeOf(user)
        const stamp = madeAt(body.at, now)
        if (body.date === undefined && body.completed === undefined) {
          return habitResponse(await togglePeriod(database, user, params.id, stamp, time))
        }
        const day = body.date ? await dayDecided(user, body.date, stamp.at, now) : time.today
        const change = { day, completed: body.completed, ...stamp }
        return habitResponse(await completeDay(database, user, params.id, change, time))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/habits/{id}/completions',
      summary: 'The days of a range on which a habit was completed',
      takes: { params: rowParams, query: rangeSchema },
      responses: { 200: completionsSchema },
      async handle({ user, params, query }) {
        // A request may cover all completions of a habit, however old it is.
        const time = await timeOf(user)
        const range = rangeOf(query, time.today, Number.POSITIVE_INFINITY)
        if ('problem' in range) return refuseField('to', range.problem)
        const days = await listCompletions(database, user, params.id, range, time)
        return days ? { status: 200, body: { days } } : notFound
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/habits/{id}/completions',
      summary: 'Take back every completion of a range, such as a week, of a year at most',
      takes: {
        params: rowParams,
        query: z.object({ from: daySchema, to: daySchema, ...changeQuery.shape }),
      },
      responses: { 200: oneHabitSchema },
      async handle({ user, params, query }) {
        const time = await timeOf(user)
        const range = rangeOf(query, time.today, aYear)
        if ('problem' in range) return refuseField('to', range.problem)
        const stamp = madeAt(query.at, clock())
        return habitResponse(await undoCompletions(database, user, params.id, range, stamp, time))
      },
    }),
    ...habitDayEndpoints({ database, clock, timeOf, dayDecided }),
  ]
}
