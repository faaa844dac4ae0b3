import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import type { Preferences } from '#features/preferences/preferences.ts'
import { addDays, type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { rangeOf } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint.ts'
import { type ErrorResponse, notFound } from '#platform/http/error-response.ts'
import { deletionEndpoints, rowParams } from '#platform/http/row-calls.ts'
import { refuseTooManyRows } from '#platform/http/too-many-rows.ts'
import { dayThatIs, instantOf, madeAt, refuseField, refuseFutureDay } from '#platform/http/when.ts'
import { writeList } from '#platform/http/written.ts'
import {
  completedQuerySchema,
  completedTodosSchema,
  newTodoSchema,
  type Todo,
  todoChangeSchema,
  todoEditSchema,
  todoListQuerySchema,
  todoListSchema,
  todoSchema,
} from '../todo.ts'
import { completedTodos } from './completed-todo-store.ts'
import {
  addTodo,
  changeTodo,
  completedTotals,
  deleteTodo,
  listRecentTodos,
  listTodos,
  restoreTodo,
} from './todo-store.ts'

const oneTodoSchema = z.object({ todo: todoSchema })

/** With today. */
const recentDays = 30

/** The endpoints of the to-do list. `clock` returns the time; `preferencesOf` decides what a day is for the user. */
export function todoEndpoints({
  database,
  clock,
  preferencesOf,
}: {
  database: Database
  clock: () => Instant
  preferencesOf: (user: string) => Promise<Preferences>
}): Endpoint[] {
  /** The user's day at an instant, for a completion that was sent without a day or with an impossible one. */
  async function dayFor(user: string, at: Instant): Promise<Day> {
    const { time_zone, day_start } = await preferencesOf(user)
    return dayOf(at, time_zone, day_start)
  }

  async function completionOf(
    user: string,
    { completed, day }: { completed: 0 | 1; day?: Day | undefined },
    at: Instant,
    now: Instant,
  ): Promise<{ completed: 0 } | { completed: 1; day: Day }> {
    return completed ? { completed, day: dayThatIs(day, now) ?? (await dayFor(user, at)) } : { completed }
  }

  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/todos',
      summary:
        'Every to-do, the newest first; or the open ones and those completed in the last 30 days, and how many are completed in all and by list',
      changesWith: ({ done }) => (done === undefined ? 'writes' : 'writes and days'),
      takes: { query: todoListQuerySchema },
      answers: { 200: todoListSchema },
      async handle({ user, query: { done } }) {
        if (done === undefined) return { written: writeList('todos', listTodos(database, user)) }
        const since = addDays(await dayFor(user, clock()), 1 - recentDays)
        const completed = await completedTotals(database, user)
        return { written: writeList('todos', listRecentTodos(database, user, since), { completed }) }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/todos/completed',
      summary:
        'How many to-dos were completed on every day of a range, and the newest 50 of them, or the 50 before another one; of all days, counted are only those of the 50',
      changesWith: 'writes and days',
      takes: { query: completedQuerySchema },
      answers: { 200: completedTodosSchema },
      async handle({ user, query }) {
        const range = query.range ?? rangeOf(query, await dayFor(user, clock()))
        if (typeof range === 'object' && 'problem' in range) return refuseField('to', range.problem)
        const completed = await completedTodos(database, user, range, query)
        if (!completed) return refuseField('before', 'There is no completed to-do with this id')
        return { status: 200, body: completed }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/todos',
      summary: 'Add a to-do; the same id again answers 200 and what is stored',
      takes: { body: newTodoSchema },
      answers: { 200: oneTodoSchema, 201: oneTodoSchema },
      errors: [404, 422],
      async handle({ user, body }) {
        const now = clock()
        const error = refuseFutureDay('day', body.day, now, body.at)
        if (error) return error
        const at = instantOf(body.at, now)
        const { id = randomUUIDv7(), ...fields } = body
        const addition = { ...fields, at, ...(await completionOf(user, body, at, now)) }
        const added = await addTodo(database, user, id, addition)
        if (added === 'deleted') return notFound
        if (added instanceof TooManyRows) return refuseTooManyRows(added)
        return { status: added.created ? 201 : 200, body: { todo: added.todo } }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}',
      summary: 'Complete or reopen a to-do; a title sent along renames it',
      takes: { params: rowParams, body: todoChangeSchema },
      answers: { 200: oneTodoSchema },
      async handle({ user, params, body }) {
        const now = clock()
        const error = refuseFutureDay('day', body.day, now, body.at)
        if (error) return error
        const stamp = madeAt(body.at, now)
        const completedAt = Math.min(body.completed_at ?? stamp.at, stamp.at)
        const completion = await completionOf(user, body, completedAt, now)
        const change = { title: body.title, ...stamp, ...completion, completedAt }
        return respond(await changeTodo(database, user, params.id, change))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}/edit',
      summary:
        'Change any fields of a to-do; null takes a due day, reminder, list, parent or estimate away. Tags are added and removed one by one, or set at once',
      takes: { params: rowParams, body: todoEditSchema },
      answers: { 200: oneTodoSchema },
      errors: [422],
      async handle({ user, params, body }) {
        const change = { ...body, ...madeAt(body.at, clock()) }
        return respond(await changeTodo(database, user, params.id, change))
      },
    }),
    ...deletionEndpoints({
      path: '/api/todos',
      one: 'a to-do',
      clock,
      shown: oneTodoSchema,
      remove: (user, id, at) => deleteTodo(database, user, id, at),
      async restore(user, id, at) {
        const todo = await restoreTodo(database, user, id, at)
        return todo && { todo }
      },
    }),
  ]
}

function respond(
  todo: Todo | TooManyRows | undefined,
): { status: 200; body: { todo: Todo } } | ErrorResponse {
  if (todo instanceof TooManyRows) return refuseTooManyRows(todo)
  return todo ? { status: 200, body: { todo } } : notFound
}
