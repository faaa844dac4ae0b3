import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod'
import { type Day, dayOf, type Instant, instantSchema, latestDayAnywhere } from '#platform/calendar/day.ts'
import { rangeOf, rangeSchema } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint } from '#platform/http/endpoint.ts'
import { notFound, type Refusal, refuse } from '#platform/http/refusal.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import {
  completedTodosSchema,
  newTodoSchema,
  type Todo,
  titleChangeSchema,
  todoChangeSchema,
  todoListSchema,
  todoSchema,
} from '../todo.ts'
import { addTodo, changeTodo, completedTodos, deleteTodo, listTodos, restoreTodo } from './todo-store.ts'

const oneTodoSchema = z.object({ todo: todoSchema })
const params = z.object({ id: rowIdSchema })
const query = z.object({ at: instantSchema.optional() })

const done = { status: 200, body: { success: true } } as const

/** The calls of the to-do list. `clock` says what time it is. */
export function todoEndpoints(database: Database, clock: () => Instant): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/todos',
      summary: 'Every to-do, the newest first',
      takes: {},
      answers: { 200: todoListSchema },
      async handle({ user }) {
        return { status: 200, body: { todos: await listTodos(database, user) } }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/todos/completed',
      summary: 'How many to-dos were completed on every day of a range, and the newest 50 of them',
      takes: { query: rangeSchema },
      answers: { 200: completedTodosSchema },
      async handle({ user, query }) {
        const range = rangeOf(query, dayOf(clock(), 'UTC', 0))
        if ('problem' in range) {
          return refuse(400, 'INVALID_INPUT', range.problem, { fields: { to: range.problem } })
        }
        return { status: 200, body: await completedTodos(database, user, range) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/todos',
      summary: 'Add a to-do; the same id again answers 200 and what is stored',
      takes: { body: newTodoSchema },
      answers: { 200: oneTodoSchema, 201: oneTodoSchema },
      refusals: [404],
      async handle({ user, body }) {
        const when = whenOf(body, clock())
        if ('refusal' in when) return when.refusal
        const added = await addTodo(database, user, body.id ?? randomUUIDv7(), { ...body, ...when })
        if (added === 'deleted') return notFound
        return { status: added.created ? 201 : 200, body: { todo: added.todo } }
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}',
      summary: 'Complete or reopen a to-do; a title sent along renames it',
      takes: { params, body: todoChangeSchema },
      answers: { 200: oneTodoSchema },
      async handle({ user, params, body }) {
        const when = whenOf(body, clock())
        if ('refusal' in when) return when.refusal
        return answer(await changeTodo(database, user, params.id, { ...body, ...when }))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/todos/{id}/edit',
      summary: 'Rename a to-do',
      takes: { params, body: titleChangeSchema },
      answers: { 200: oneTodoSchema },
      async handle({ user, params, body }) {
        const when = whenOf(body, clock())
        if ('refusal' in when) return when.refusal
        return answer(await changeTodo(database, user, params.id, { ...body, ...when }))
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/todos/{id}',
      summary: 'Delete a to-do; it can be taken back for 30 days',
      takes: { params, query },
      answers: { 200: z.object({ success: z.literal(true) }) },
      async handle({ user, params, query }) {
        const deleted = await deleteTodo(database, user, params.id, instantOf(query.at, clock()))
        return deleted ? done : notFound
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/todos/{id}/restore',
      summary: 'Take the deletion of a to-do back',
      takes: { params, query },
      answers: { 200: oneTodoSchema },
      async handle({ user, params, query }) {
        return answer(await restoreTodo(database, user, params.id, instantOf(query.at, clock())))
      },
    }),
  ]
}

function answer(todo: Todo | undefined): { status: 200; body: { todo: Todo } } | Refusal {
  return todo ? { status: 200, body: { todo } } : notFound
}

// A device whose clock runs ahead must not lose the write, nor win over every later one.
function instantOf(at: Instant | undefined, now: Instant): Instant {
  return Math.min(at ?? now, now)
}

function whenOf(
  { at, day }: { at?: Instant; day?: Day },
  now: Instant,
): { at: Instant; day: Day } | { refusal: Refusal } {
  if (day !== undefined && day > latestDayAnywhere(now)) {
    const message = 'This day is not there yet, anywhere.'
    return { refusal: refuse(400, 'INVALID_INPUT', message, { fields: { day: message } }) }
  }
  const instant = instantOf(at, now)
  return { at: instant, day: day ?? dayOf(instant, 'UTC', 0) }
}
