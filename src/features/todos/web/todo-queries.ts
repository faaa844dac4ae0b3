import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { changed, deletion, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { type EditOf, localShape, valuesWhenMissing } from '#platform/wire/synced-row.ts'
import type { Todo } from '../todo.ts'
import { todoRow } from '../todo-row.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC), set when they made it: the change is sent later, and may be sent
// again. A `title` beside it only tells them what could not be saved; the server receives just what they changed.

export const todoList: Collection<Todo> = {
  name: 'todos',
  path: '/api/todos',
  rows: (response) => listSchema.parse(response).todos,
}

/** As stored on the device, possibly by an older build: it must be readable without a connection. */
const listSchema = z.object({ todos: z.array(z.object(localShape(todoRow))) })

/** What an edit can change in a to-do, except its title, which is a write of its own. */
export type TodoDates = Pick<Todo, Exclude<keyof EditOf<typeof todoRow>, 'title'>>

/** `due_day` is left out if there is none, as in writes queued before due days existed. */
export const addTodo: Write<Todo, { id: string; title: string; due_day?: Day; at: string }> = {
  name: 'todos.add',
  version: 1,
  collection: todoList,
  apply: (rows, { id, title, due_day = null, at }) =>
    rows.some((todo) => todo.id === id)
      ? [...rows]
      : [
          {
            ...valuesWhenMissing(todoRow),
            id,
            title,
            completed: 0,
            completed_at: null,
            due_day,
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
  collection: todoList,
  apply: (rows, { id, completed, at }) =>
    changed(rows, id, { completed }, { completed_at: completed ? at : null, updated_at: at }),
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
  collection: todoList,
  apply: (rows, { id, title, at }) => changed(rows, id, { title }, { updated_at: at }),
  request: ({ id, title, at }) => ({ method: 'PUT', path: `/api/todos/${id}/edit`, body: { title, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
  typed: true,
}

/** `changes` holds only what the person changed. */
export const setTodoDates: Write<
  Todo,
  { id: string; changes: Partial<TodoDates>; title: string; at: string }
> = {
  name: 'todos.dates',
  version: 1,
  collection: todoList,
  apply: (rows, { id, changes, at }) => changed(rows, id, changes, { updated_at: at }),
  request: ({ id, changes, at }) => ({
    method: 'PUT',
    path: `/api/todos/${id}/edit`,
    body: { ...changes, at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
}

export const deleteTodo = deletion<Todo, { id: string; title: string; at: string }>({
  name: 'todos.delete',
  collection: todoList,
  refusal: 'Failed to delete task',
  text: ({ title }) => title,
})

/** Undoes a deletion: `todo` is as it was when it was deleted. A write queued long ago may lack newer fields. */
export const restoreTodo = restoration<
  Todo,
  { todo: Omit<Todo, keyof TodoDates> & Partial<TodoDates>; at: string }
>({
  name: 'todos.restore',
  collection: todoList,
  rowOf: ({ todo }) => ({ ...valuesWhenMissing(todoRow), ...todo }),
  order: newestFirst,
  refusal: 'Failed to restore task',
  text: ({ todo }) => todo.title,
})

/** For the provider: every write to to-dos that may be waiting on a device. */
export const todoWrites = [addTodo, setTodoCompleted, renameTodo, setTodoDates, deleteTodo, restoreTodo]

/** The order in which the server lists them. */
function newestFirst(a: Todo, b: Todo): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
