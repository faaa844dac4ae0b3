import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import type { List } from '#platform/sync/list.ts'
import type { Write } from '#platform/sync/write.ts'
import { type Todo, todoSchema } from '../todo.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC), decided when they made it: it is sent later, and again.
// A `title` beside it is only there to tell them what could not be saved; the server is sent what they changed.

export const todoList: List<Todo> = {
  name: 'todos',
  path: '/api/todos',
  rows: (answer) => listSchema.parse(answer).todos,
}

/** A list that was kept on the device before to-dos had dates is one without any, and can be read without a connection. */
const listSchema = z.object({
  todos: z.array(
    z.extend(todoSchema, {
      due_day: z._default(todoSchema.shape.due_day, null),
      remind_at: z._default(todoSchema.shape.remind_at, null),
    }),
  ),
})

/** By when a to-do is to be done, and when its person wants to be reminded of it. */
export type TodoDates = Pick<Todo, 'due_day' | 'remind_at'>

const noDates: TodoDates = { due_day: null, remind_at: null }

/** `due_day`: left out where there is none, as in one that waits since before there were any. */
export const addTodo: Write<Todo, { id: string; title: string; due_day?: Day; at: string }> = {
  name: 'todos.add',
  version: 1,
  list: todoList,
  apply: (rows, { id, title, due_day = null, at }) =>
    rows.some((todo) => todo.id === id)
      ? [...rows]
      : [
          {
            id,
            title,
            completed: 0,
            completed_at: null,
            due_day,
            remind_at: null,
            created_at: at,
            updated_at: at,
          },
          ...rows,
        ],
  request: ({ id, title, due_day, at }) => ({
    method: 'POST',
    path: '/api/todos',
    body: { id, title, completed: 0, ...(due_day && { due_day }), at },
  }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to add task',
  text: ({ title }) => title,
  typed: true,
}

/** `day` is the person's own day on which they changed it. */
export const setTodoCompleted: Write<
  Todo,
  { id: string; completed: 0 | 1; title: string; day: Day; at: string }
> = {
  name: 'todos.complete',
  version: 1,
  list: todoList,
  apply: (rows, { id, completed, at }) =>
    rows.map((todo) =>
      todo.id === id && todo.completed !== completed
        ? { ...todo, completed, completed_at: completed ? at : null, updated_at: at }
        : todo,
    ),
  request: ({ id, completed, day, at }) => ({
    method: 'PUT',
    path: `/api/todos/${id}`,
    body: { completed, day, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
}

export const renameTodo: Write<Todo, { id: string; title: string; at: string }> = {
  name: 'todos.rename',
  version: 1,
  list: todoList,
  apply: (rows, { id, title, at }) =>
    rows.map((todo) => (todo.id === id && todo.title !== title ? { ...todo, title, updated_at: at } : todo)),
  request: ({ id, title, at }) => ({ method: 'PUT', path: `/api/todos/${id}/edit`, body: { title, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
  typed: true,
}

/** `changes` holds what the person changed and nothing else. */
export const setTodoDates: Write<
  Todo,
  { id: string; changes: Partial<TodoDates>; title: string; at: string }
> = {
  name: 'todos.dates',
  version: 1,
  list: todoList,
  apply: (rows, { id, changes, at }) =>
    rows.map((todo) => {
      const changed = { ...todo, ...changes, updated_at: at }
      const same = todo.due_day === changed.due_day && todo.remind_at === changed.remind_at
      return todo.id !== id || same ? todo : changed
    }),
  request: ({ id, changes, at }) => ({
    method: 'PUT',
    path: `/api/todos/${id}/edit`,
    body: { ...changes, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
}

export const deleteTodo: Write<Todo, { id: string; title: string; at: string }> = {
  name: 'todos.delete',
  version: 1,
  list: todoList,
  apply: (rows, { id }) => rows.filter((todo) => todo.id !== id),
  request: ({ id, at }) => ({ method: 'DELETE', path: `/api/todos/${id}?at=${encodeURIComponent(at)}` }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to delete task',
  text: ({ title }) => title,
}

/** Takes a deletion back: `todo` as it was when it was deleted. One that has waited for long may have no dates. */
export const restoreTodo: Write<
  Todo,
  { todo: Omit<Todo, keyof TodoDates> & Partial<TodoDates>; at: string }
> = {
  name: 'todos.restore',
  version: 1,
  list: todoList,
  apply: (rows, { todo }) =>
    rows.some(({ id }) => id === todo.id) ? [...rows] : [...rows, { ...noDates, ...todo }].sort(newestFirst),
  request: ({ todo, at }) => ({
    method: 'POST',
    path: `/api/todos/${todo.id}/restore?at=${encodeURIComponent(at)}`,
  }),
  subject: ({ todo }) => todo.id,
  refusal: 'Failed to restore task',
  text: ({ todo }) => todo.title,
}

/** For the provider: every write to to-dos that may be waiting on a device. */
export const todoWrites = [addTodo, setTodoCompleted, renameTodo, setTodoDates, deleteTodo, restoreTodo]

/** The order in which the server lists them. */
function newestFirst(a: Todo, b: Todo): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
