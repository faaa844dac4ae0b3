import * as z from 'zod/mini'
import { occurrencesShape } from '#features/todos/repeat/rule/occurrences.ts'
import type { Occurrence } from '#features/todos/repeat/rule/repeat.ts'
import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import type { OverlaidWrite } from '#platform/sync/collections/overlay.ts'
import { changed, deletion, placed, restoration } from '#platform/sync/collections/row-writes.ts'
import type { ServerSnapshot } from '#platform/sync/collections/server-snapshot.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { type EditOf, localShape, valuesWhenMissing } from '#platform/wire/synced-row.ts'
import { changedOccurrence } from '../changed-occurrence.ts'
import { listIdOf, parentsIn, subtasksOf } from '../subtasks.ts'
import { changedTags, sortedTags } from '../tags.ts'
import { type CompletedTotals, completedTotalsSchema, type Todo, todoNones } from '../todo.ts'
import { positionOf, todoRow } from '../todo-row.ts'

// The writes of to-dos. `at` is the instant at which the person made the change (ISO 8601 in UTC), because the request may be
// sent later, or more than once. `title` tells the person which change could not be saved; it is sent only if the change sets the
// title.

/** The open to-dos, and those completed in the last 30 days. Older completed ones stay on the server. */
export const todoCollection: Collection<Todo, CompletedTotals> = {
  name: 'todos',
  path: '/api/todos',
  readPath: '/api/todos?done=recent',
  rows: (response) => readTodos(response).map((todo) => ({ ...todo, position: positionOf(todo) })),
  long: { array: 'todos', fields: todoRow },
  order: byCreation,
  // Parses only the totals: `rows` has already checked the rows.
  totals: (response) => storedTotalsSchema.safeParse(response).data?.completed,
}

function readTodos(response: unknown) {
  return readKnown(storedSchema, response, { todos: todoNones }).todos
}

/** To-dos as this device stored them, possibly by the previous version: they must be readable without a connection. */
const storedSchema = z.object({
  todos: z.array(z.object({ ...localShape(todoRow), ...occurrencesShape })),
})
const storedTotalsSchema = z.object({ completed: completedTotalsSchema })

/**
 * Counts completed to-dos in total and by list. A subtask counts for the list of its parent. `family`: the to-dos among which
 * parents are found.
 */
function completedTotals(
  todos: readonly Completable[],
  family: readonly Completable[] = todos,
): CompletedTotals {
  const parents = parentsIn(family)
  const completed = todos.filter((todo) => todo.completed === 1)
  const byList = Object.groupBy(completed, (todo) => listIdOf(todo, parents) ?? '')
  const inLists = Object.entries(byList).filter(([list]) => list !== '')
  return {
    total: completed.length,
    by_list: Object.fromEntries(inLists.map(([list, of]) => [list, of?.length ?? 0])),
  }
}

/**
 * How many completed to-dos are not on this device, in total and by list, as if the queued writes had reached the server already.
 */
export function completedElsewhere(
  { rows, totals }: ServerSnapshot<Todo, CompletedTotals>,
  queued: readonly OverlaidWrite[],
): CompletedTotals {
  const here = completedTotals(rows)
  const elsewhere = queued.flatMap(({ vars }) => takenSchema.safeParse(vars).data?.elsewhere ?? [])
  // Several writes may carry the same to-do: count it once.
  const once = new Map(
    elsewhere.filter(({ id }) => !rows.some((row) => row.id === id)).map((todo) => [todo.id, todo]),
  )
  const taken = completedTotals([...once.values()], [...once.values(), ...rows])
  const { total, by_list } = totals ?? here
  const lists = Object.entries(by_list).map(
    ([list, count]) => [list, count - (here.by_list[list] ?? 0) - (taken.by_list[list] ?? 0)] as const,
  )
  return { total: total - here.total - taken.total, by_list: Object.fromEntries(lists) }
}

type Completable = Pick<Todo, 'id' | 'parent_id' | 'completed' | 'list_id'>

const takenSchema = z.object({
  elsewhere: z.object({
    id: z.string(),
    parent_id: z._default(z.nullable(z.string()), null),
    completed: z.literal(1),
    list_id: z._default(z.nullable(z.string()), null),
  }),
})

/** The fields of a to-do that an edit can change. The title has a write of its own. */
export type TodoFields = Pick<Todo, Exclude<keyof EditOf<typeof todoRow>, 'title'>>

/** Adds a to-do. Fields that are left out stay empty. */
export const addTodo: Write<
  Todo,
  { id: string; title: string; at: string; tags?: string[] } & Partial<TodoFields>
> = {
  name: 'todos.add',
  version: 1,
  collection: todoCollection,
  apply: (rows, { id, title, at, position, tags = [], ...fields }) =>
    rows.some((todo) => todo.id === id)
      ? [...rows]
      : [
          {
            ...valuesWhenMissing(todoRow),
            ...inOneForm(fields),
            id,
            title,
            completed: 0,
            completed_at: null,
            position: position ?? newestFirst({ id, created: instantFromWire(at) }),
            tags: sortedTags(tags),
            created_at: at,
            updated_at: at,
          },
          ...rows,
        ],
  request: (vars) => ({ method: 'POST', path: '/api/todos', body: { ...vars, completed: 0 } }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to add task',
  text: ({ title }) => title,
  typed: true,
}

/**
 * Completing a to-do completes its open subtasks; reopening it reopens none of them. `subtasks`: the ids of the subtasks that
 * were open at the time, so that subtasks added later stay open. `day`: the person's own day of the change. `elsewhere`: the
 * to-do, if this device may not have it. `completed_at`: the original instant, when undo restores a completion. `was_on`: the day
 * of the completion that reopening takes back, if known.
 */
export const setTodoCompleted: Write<
  Todo,
  {
    id: string
    completed: 0 | 1
    title: string
    day: Day
    at: string
    subtasks?: readonly string[]
    elsewhere?: Todo
    completed_at?: string
    was_on?: Day
  }
> = {
  name: 'todos.complete',
  version: 1,
  collection: todoCollection,
  apply(rows, { id, completed, at, subtasks = [], elsewhere, completed_at = at }) {
    const all = elsewhere ? placed(rows, elsewhere, byCreation) : rows
    const finished = { completed_at: completed ? completed_at : null }
    const open = completed ? openSubtasks(all, id).filter((subtask) => subtasks.includes(subtask)) : []
    return open.reduce(
      (rows, subtask) => changed(rows, subtask, { completed }, finished),
      changed(all, id, { completed }, { ...finished, updated_at: at }),
    )
  },
  request: ({ id, completed, day, at, completed_at }) => ({
    method: 'PUT',
    path: `/api/todos/${id}`,
    body: { completed, day, at, ...(completed_at && { completed_at }) },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
}

export const renameTodo: Write<Todo, { id: string; title: string; at: string }> = {
  name: 'todos.rename',
  version: 1,
  collection: todoCollection,
  apply: (rows, { id, title, at }) => changed(rows, id, { title }, { updated_at: at }),
  request: ({ id, title, at }) => ({ method: 'PUT', path: `/api/todos/${id}/edit`, body: { title, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
  typed: true,
}

/** A write of its own, so that a note that cannot be saved is shown to the person as they typed it. */
export const writeNote: Write<Todo, { id: string; note: string; title: string; at: string }> = {
  name: 'todos.note',
  version: 1,
  collection: todoCollection,
  apply: (rows, { id, note, at }) => changed(rows, id, { note }, { updated_at: at }),
  request: ({ id, note, at }) => ({ method: 'PUT', path: `/api/todos/${id}/edit`, body: { note, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ note, title }) => (note === '' ? title : note),
  typed: true,
}

/** Only the fields that the person changed. */
export type TodoChanges = Partial<TodoFields> & { tags?: { add?: string[]; remove?: string[] } }

/**
 * Edits fields of a to-do. The name is 'todos.dates' because this write once set only dates. `occurrence`: the occurrence of a
 * repeating to-do that a new due day moves.
 */
export const editTodo: Write<
  Todo,
  { id: string; changes: TodoChanges; title: string; at: string; occurrence?: Day }
> = {
  name: 'todos.dates',
  version: 1,
  collection: todoCollection,
  apply(rows, { id, changes: { tags, ...fields }, at, occurrence }) {
    const todo = rows.find((row) => row.id === id)
    const tagged = tags && todo && { tags: changedTags(todo.tags, tags) }
    const edited = changed(rows, id, { ...inOneForm(fields), ...tagged }, { updated_at: at })
    if (fields.repeat !== undefined) return edited.map((row) => (row.id === id ? begunAnew(row) : row))
    if (fields.due_day === undefined || occurrence === undefined) return edited
    const moved_to = fields.due_day === occurrence ? null : fields.due_day
    return edited.map((row) => (row.id === id ? changedOccurrence(row, occurrence, { moved_to, at }) : row))
  },
  request: ({ id, changes, at, occurrence }) => ({
    method: 'PUT',
    path: `/api/todos/${id}/edit`,
    body: { ...changes, at, occurrence },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
}

/** A reminder tied to the due day replaces one at an instant, and vice versa. */
function inOneForm(fields: Partial<TodoFields>): Partial<TodoFields> {
  if (fields.reminder) return { ...fields, remind_at: null }
  if (fields.reminder === undefined && fields.remind_at === undefined) return fields
  return { ...fields, reminder: null, remind_at: fields.remind_at ?? null }
}

/** Drops the sums of old occurrences, which were made under the former rule. */
function begunAnew({ settled_from, done_before, missed_before, ...todo }: Todo): Todo {
  return todo
}

/**
 * Settles or reopens an occurrence of a repeating to-do, or of its subtask. `done_on` is null with 'open'. `was` and `was_on`:
 * the state before, which this device may no longer have when it shows the change.
 */
export const settleOccurrence: Write<
  Todo,
  {
    id: string
    day: Day
    state: Occurrence['state']
    done_on: Day | null
    title: string
    at: string
    was?: Occurrence['state']
    was_on?: Day | null
  }
> = {
  name: 'todos.day',
  version: 1,
  collection: todoCollection,
  apply: (rows, { id, day, state, done_on, at, was }) =>
    rows.map((todo) => (todo.id === id ? changedOccurrence(todo, day, { state, done_on, at }, was) : todo)),
  request: ({ id, day, state, done_on, at }) => ({
    method: 'PUT',
    path: `/api/todos/${id}/days/${day}`,
    body: { state, ...(done_on !== null && { done_on }), at },
  }),
  subject: ({ id }) => id,
  refusal: 'Failed to update todo',
  text: ({ title }) => title,
}

/** Deletes a to-do and hides its subtasks. `elsewhere`: the to-do, if this device does not have it. */
export const deleteTodo: Write<Todo, { id: string; title: string; at: string; elsewhere?: Todo }> = {
  ...deletion<Todo, { id: string; title: string; at: string; elsewhere?: Todo }>({
    name: 'todos.delete',
    collection: todoCollection,
    refusal: 'Failed to delete task',
    text: ({ title }) => title,
  }),
  apply(rows, { id }) {
    const gone = new Set([id, ...subtasksIn(rows, id).map((subtask) => subtask.id)])
    return rows.filter((row) => !gone.has(row.id))
  },
}

/**
 * Undoes a deletion. `todo` is the to-do as it was when deleted, `subtasks` are those that the deletion hid. A write queued by
 * the previous version may lack a new field.
 */
export const restoreTodo: Write<Todo, { todo: Todo; subtasks?: readonly Todo[]; at: string }> = {
  ...restoration<Todo, { todo: Todo; at: string }>({
    name: 'todos.restore',
    collection: todoCollection,
    rowOf: ({ todo }) => restored(todo),
    restores: (todo, at) => ({ todo, at }),
    order: byCreation,
    refusal: 'Failed to restore task',
    text: ({ todo }) => todo.title,
  }),
  apply: (rows, { todo, subtasks = [] }) =>
    [todo, ...subtasks].reduce((rows, each) => placed(rows, restored(each), byCreation), [...rows]),
}

function restored(todo: Todo): Todo {
  return { ...valuesWhenMissing(todoRow), ...todo }
}

/** The ids of the subtasks that are completed together with a to-do. */
export function openSubtasks(rows: readonly Todo[], id: string): string[] {
  return subtasksIn(rows, id)
    .filter(({ completed }) => completed === 0)
    .map((subtask) => subtask.id)
}

/** The subtasks of a to-do. */
export function subtasksIn(rows: readonly Todo[], id: string): readonly Todo[] {
  const named = rows.filter(({ parent_id }) => parent_id === id)
  return named.length === 0 ? named : (subtasksOf(rows).byParent.get(id) ?? [])
}

/** Every kind of write to to-dos that may be waiting on a device, besides those to tags (`tag-writes.ts`), for the sync provider. */
export const todoWrites = [
  addTodo,
  setTodoCompleted,
  renameTodo,
  writeNote,
  editTodo,
  settleOccurrence,
  deleteTodo,
  restoreTodo,
]

/** Sorts to-dos as the server lists them. */
function byCreation(a: Todo, b: Todo): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
