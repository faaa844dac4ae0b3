import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import type { Preferences } from '#features/preferences/preferences.ts'
import { addDays, type Day, dayOf, daySchema, type Instant } from '#platform/calendar/day.ts'
import { rangeOf, rangeSchema } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { type ErrorResponse, errorResponse, notFound } from '#platform/http/request/error-response.ts'
import { changedSince, writeCollection } from '#platform/http/responses/written.ts'
import {
  addedResponse,
  changedResponse,
  deletionEndpoints,
  rowParams,
} from '#platform/http/row-calls/row-calls.ts'
import { dayThatIs, instantOf, madeAt, refuseField, refuseFutureDay } from '#platform/http/row-calls/when.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { completedQuerySchema } from '../completed/completed-requests.ts'
import { completedTodosSchema } from '../completed/completed-todos.ts'
import { completedTodos } from '../completed/server/completed-todo-store.ts'
import {
  type DayAt,
  isRefused,
  occurrencesIn,
  type Refused,
  setOccurrence,
} from '../repeat/history/server/repeating-todo-store.ts'
import { isShownAsStored, shownTodo, shownTodos } from '../repeat/history/server/shown-todo-store.ts'
import { occurrenceChangeSchema, occurrenceSchema } from '../repeat/rule/occurrences.ts'
import { filledIn, type SentRule } from '../repeat/rule/repeat-rule.ts'
import { firstParents, hiddenTodos } from '../todo/server/subtask-store.ts'
import { completedTotalsSchema, type Todo, todoSchema } from '../todo/todo.ts'
import {
  newTodoSchema,
  todoChangeSchema,
  todoCollectionQuerySchema,
  todoEditSchema,
} from '../todo/todo-requests.ts'
import { changedTodos } from './changed-todo-store.ts'
import {
  completedCounts,
  completedTotals,
  findRecentTodos,
  listRecentTodos,
  listTodos,
  recentTodos,
} from './todo-list-store.ts'
import { addTodo, changeTodo, deleteTodo, restoreTodo } from './todo-store.ts'

const occurrenceParams = z.object({ id: rowIdSchema, day: daySchema })

const oneTodoSchema = z.object({ todo: todoSchema })

/**
 * `completed`: how many to-dos are completed, sent only with `done=recent`, which leaves out to-dos completed more than 30 days
 * ago.
 */
const todoCollectionSchema = z.object({
  todos: z.array(todoSchema),
  completed: z.optional(completedTotalsSchema),
})

/** How many days `done=recent` covers, including today. */
const recentDays = 30

/** The endpoints of to-dos. `clock` returns the current instant; `preferencesOf` defines what a day is for the user. */
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
    return (await personAt(user, at)).day
  }

  async function completionOf(
    user: string,
    { completed, day }: { completed: 0 | 1; day?: Day | undefined },
    at: Instant,
    now: Instant,
  ): Promise<{ completed: 0 | 1; day: Day }> {
    return { completed, day: dayThatIs(day, now) ?? (await dayFor(user, at)) }
  }

  /** Fills in the fields that the rule leaves out. A due day that is sent along becomes the rule's first day. */
  async function ruledOf<
    Edit extends { repeat?: SentRule | null | undefined; due_day?: Day | null | undefined },
  >(user: string, edit: Edit): Promise<Edit> {
    const { repeat, due_day } = edit
    if (!repeat) return edit
    const from = due_day ?? repeat.from
    return {
      ...edit,
      due_day: from,
      repeat: filledIn({ ...repeat, from }, (await preferencesOf(user)).week_start),
    }
  }

  /** The user's day now, and their zone. */
  async function presentOf(user: string): Promise<{ today: Day; zone: string }> {
    const { time_zone, day_start } = await preferencesOf(user)
    return { today: dayOf(clock(), time_zone, day_start), zone: time_zone }
  }

  /** What a change needs to know about its person: their day at the instant of the change, and their zone. */
  async function personAt(user: string, instant: Instant): Promise<{ day: Day; dayAt: DayAt; zone: string }> {
    const { time_zone, day_start } = await preferencesOf(user)
    const dayAt: DayAt = (at) => dayOf(at, time_zone, day_start)
    return { day: dayAt(instant), dayAt, zone: time_zone }
  }

  async function shownNow(user: string, todo: Todo): Promise<Todo> {
    return isShownAsStored(todo) ? todo : shownTodo(database, user, todo, await presentOf(user))
  }

  async function respond(
    user: string,
    todo: Todo | TooManyRows | Refused | undefined,
  ): Promise<{ status: 200; body: { todo: Todo } } | ErrorResponse> {
    if (isRefused(todo)) {
      return 'code' in todo
        ? errorResponse(409, todo.code, todo.problem)
        : refuseField(todo.field, todo.problem)
    }
    return changedResponse(todo, async (todo) => ({ todo: await shownNow(user, todo) }))
  }

  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/todos',
      summary:
        'Every to-do, the newest first; or the open ones and those completed in the last 30 days, and how many are completed in all and by list',
      changesWith: 'writes and days',
      byRevision: 'todos',
      carriedAs: '/api/todos?done=recent',
      takes: { query: todoCollectionQuerySchema },
      responses: { 200: todoCollectionSchema },
      async handle({ user, query: { done }, c }) {
        const present = await presentOf(user)
        const since = done === undefined ? undefined : addDays(present.today, 1 - recentDays)
        const part = c.changed && (await changedTodos(database, user, c.changed.ids, { ...present, since }))
        if (c.changed && part) {
          const { ids, todos, completed } = part
          return changedSince(
            'todos',
            { since: c.changed.since, ids, rows: todos },
            completed && { completed },
          )
        }
        if (since === undefined) {
          const [show, parents] = await database.readTogether((read) =>
            Promise.all([shownTodos(database, user, present, read), firstParents(read, user)]),
          )
          const hidden = await hiddenTodos(database.read, user, parents)
          return { written: writeCollection('todos', shown(listTodos(database, user, hidden), show)) }
        }
        const [show, counts, recent, parents] = await database.readTogether((read) =>
          Promise.all([
            shownTodos(database, user, present, read),
            completedCounts(read, user),
            recentTodos(read, user, since),
            // After the to-dos: one that has just become a subtask then comes with its parent.
            firstParents(read, user),
          ]),
        )
        const completed = await completedTotals(database, user, { parents, counts })
        const found = await findRecentTodos(database, user, since, { parents, recent })
        const todos = shown(listRecentTodos(database, user, since, found), show)
        return { written: writeCollection('todos', todos, { completed }) }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/todos/completed',
      summary:
        'How many to-dos were completed on every day of a range, and the newest 50 of them, or the 50 before another one; of all days, counted are only those of the 50',
      changesWith: 'writes and days',
      takes: { query: completedQuerySchema },
      responses: { 200: completedTodosSchema },
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
      responses: { 200: oneTodoSchema, 201: oneTodoSchema },
      errors: [404, 422],
      async handle({ user, body }) {
        const now = clock()
        const error = refuseFutureDay('day', body.day, now, body.at)
        if (error) return error
        const at = instantOf(body.at, now)
        const { id = randomUUIDv7(), ...fields } = body
        const addition = {
          ...(await ruledOf(user, fields)),
          at,
          ...(await completionOf(user, body, at, now)),
          zone: (await preferencesOf(user)).time_zone,
        }
        const added = await addTodo(database, user, id, addition)
        return addedResponse(added, async ({ todo }) => ({ todo: await shownNow(user, todo) }))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}',
      summary:
        'Complete or reopen a to-do; a title sent along renames it. One that repeats is completed before it is due only with `at`',
      takes: { params: rowParams, body: todoChangeSchema },
      responses: { 200: oneTodoSchema },
      errors: [409],
      async handle({ user, params, body }) {
        const now = clock()
        const error = refuseFutureDay('day', body.day, now, body.at)
        if (error) return error
        const stamp = madeAt(body.at, now)
        const completedAt = Math.min(body.completed_at ?? stamp.at, stamp.at)
        const completion = await completionOf(user, body, completedAt, now)
        const change = {
          title: body.title,
          ...stamp,
          ...completion,
          completedAt,
          isSure: body.at !== undefined,
        }
        return respond(user, await changeTodo(database, user, params.id, change))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}/edit',
      summary:
        'Change any fields of a to-do; null takes a due day, reminder, list, parent or estimate away. Tags are added and removed one by one, or set at once',
      takes: { params: rowParams, body: todoEditSchema },
      responses: { 200: oneTodoSchema },
      errors: [422],
      async handle({ user, params, body }) {
        const stamp = madeAt(body.at, clock())
        const { due_day, repeat, remind_at, parent_id } = body
        const isDated =
          [due_day, repeat, remind_at].some((field) => field !== undefined) || parent_id === null
        const person = isDated ? await personAt(user, stamp.at) : {}
        const change = { ...(await ruledOf(user, body)), ...stamp, ...person }
        return respond(user, await changeTodo(database, user, params.id, change))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}/days/{day}',
      summary:
        'Complete, skip or reopen one occurrence of a to-do that repeats, or of its subtask, by the day on which it was due',
      takes: { params: occurrenceParams, body: occurrenceChangeSchema },
      responses: { 200: oneTodoSchema },
      errors: [422],
      async handle({ user, params, body }) {
        const now = clock()
        const error = body.state === 'done' && refuseFutureDay('done_on', body.done_on, now, body.at)
        if (error) return error
        const stamp = madeAt(body.at, now)
        const done_on = body.state === 'done' ? dayThatIs(body.done_on, now) : body.done_on
        const change = { state: body.state, done_on, ...stamp, today: await dayFor(user, stamp.at) }
        return respond(user, await setOccurrence(database, user, params.id, params.day, change))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/todos/{id}/days',
      summary: 'Every day of a range on which a to-do is due by its rule, and what became of it',
      changesWith: 'writes and days',
      takes: { params: rowParams, query: rangeSchema },
      responses: { 200: z.object({ days: z.array(occurrenceSchema) }) },
      async handle({ user, params, query }) {
        const range = rangeOf(query, await dayFor(user, clock()))
        if ('problem' in range) return refuseField('to', range.problem)
        const days = await occurrencesIn(database, user, params.id, range)
        return days ? { status: 200, body: { days } } : notFound
      },
    }),
    ...deletionEndpoints({
      path: '/api/todos',
      one: 'a to-do',
      clock,
      shown: oneTodoSchema,
      remove: (user, id, at) => deleteTodo(database, user, id, at, clock()),
      async restore(user, id, at) {
        const todo = await restoreTodo(database, user, id, at)
        return todo && { todo: await shownNow(user, todo) }
      },
    }),
  ]
}

async function* shown(
  pieces: AsyncIterable<Todo[]>,
  show: (todos: readonly Todo[]) => Promise<Todo[]>,
): AsyncGenerator<Todo[]> {
  for await (const todos of pieces) yield await show(todos)
}
