import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { runs } from '#testing/runs.ts'
import { todos } from '../testing/todos.ts'
import { newTodoSchema, type Todo, todoChangeSchema, todoEditSchema } from '../todo.ts'
import {
  addTodo,
  deleteTodo,
  renameTodo,
  restoreTodo,
  setTodoCompleted,
  setTodoDates,
  todoList,
  todoWrites,
} from './todo-queries.ts'

const at = '2026-11-20T09:30:00.000Z'
const later = '2026-11-20T10:00:00.000Z'
const day = '2026-11-20' as Day
const id = (place: number) => newRowId(Date.parse(at) + place, new Uint8Array(10))

function todo(place: number, change: Partial<Todo> = {}): Todo {
  const created = new Date(Date.parse(at) + place).toISOString()
  return todos.wire({
    id: id(place),
    title: `Task ${place}`,
    created_at: created,
    updated_at: created,
    ...change,
  })
}

const rows = [todo(3), todo(2, { completed: 1, completed_at: at }), todo(1)]

describe('what a person sees at once', () => {
  it('a new task is the first', () => {
    const [first] = addTodo.apply(rows, { id: id(4), title: 'New', at: later })
    expect(first).toEqual(todos.wire({ id: id(4), title: 'New', created_at: later, updated_at: later }))
  })

  it('a task that is already listed is not added twice', () => {
    expect(addTodo.apply(rows, { id: id(1), title: 'Task 1', at })).toEqual(rows)
  })

  it('completing says when; completing what is completed keeps its instant', () => {
    const complete = (place: number) =>
      setTodoCompleted.apply(rows, { id: id(place), completed: 1, title: '', day, at: later })
    expect(complete(1)[2]).toMatchObject({ completed: 1, completed_at: later })
    expect(complete(2)).toEqual(rows)
  })

  it('reopening forgets when it was completed', () => {
    const reopened = setTodoCompleted.apply(rows, { id: id(2), completed: 0, title: '', day, at: later })
    expect(reopened[1]).toMatchObject({ completed: 0, completed_at: null })
  })

  it('a due day and a reminder are there at once, and one of them is changed without the other', () => {
    const dates = { due_day: '2026-11-27' as Day, remind_at: later }
    const [, , dated] = setTodoDates.apply(rows, { id: id(1), changes: dates, title: '', at: later })
    expect(dated).toMatchObject({ ...dates, updated_at: later })
    const again = setTodoDates.apply(dated ? [dated] : [], {
      id: id(1),
      changes: { due_day: null },
      title: '',
      at: later,
    })
    expect(again).toMatchObject([{ due_day: null, remind_at: later }])
  })

  it('a restored task stands where it stood, whatever came meanwhile', () => {
    const gone = deleteTodo.apply(rows, { id: id(2), title: '', at: later })
    expect(gone.map((each) => each.title)).toEqual(['Task 3', 'Task 1'])
    const more = addTodo.apply(gone, { id: id(9), title: 'New', at: later })
    const back = restoreTodo.apply(more, { todo: todo(2, { completed: 1, completed_at: at }), at: later })
    expect(back.map((each) => each.title)).toEqual(['New', 'Task 3', 'Task 2', 'Task 1'])
  })
})

describe('what may be sent and shown more than once', () => {
  const place = fc.integer({ min: 1, max: 5 })
  const instant = fc.constantFrom(at, later)
  const title = fc.string({ minLength: 1, maxLength: 5 })
  const write = fc.oneof(
    fc.record({ place, title, at: instant }).map((vars) => {
      const known = { ...vars, id: id(vars.place) }
      return (list: readonly Todo[]) => addTodo.apply(list, known)
    }),
    fc.record({ place, title, at: instant, completed: fc.constantFrom(0, 1) }).map((vars) => {
      const completed: 0 | 1 = vars.completed === 1 ? 1 : 0
      return (list: readonly Todo[]) =>
        setTodoCompleted.apply(list, { id: id(vars.place), completed, title: vars.title, day, at: vars.at })
    }),
    fc.record({ place, title, at: instant }).map((vars) => {
      return (list: readonly Todo[]) => renameTodo.apply(list, { ...vars, id: id(vars.place) })
    }),
    fc.record({ place, title, at: instant }).map((vars) => {
      return (list: readonly Todo[]) => deleteTodo.apply(list, { ...vars, id: id(vars.place) })
    }),
    fc
      .record({
        place,
        at: instant,
        changes: fc.record(
          { due_day: fc.constantFrom(null, day), remind_at: fc.constantFrom(null, later) },
          { requiredKeys: [] },
        ),
      })
      .map((vars) => {
        return (list: readonly Todo[]) => setTodoDates.apply(list, { ...vars, id: id(vars.place), title: '' })
      }),
    fc.record({ place, at: instant }).map((vars) => {
      return (list: readonly Todo[]) => restoreTodo.apply(list, { todo: todo(vars.place), at: vars.at })
    }),
  )

  it('shows the same twice as once, and leaves what it was given as it was', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 6 }), write, (before, apply) => {
        const list = Object.freeze(before.reduce<readonly Todo[]>((each, next) => next(each), rows))
        for (const row of list) Object.freeze(row)
        const once = apply(list)
        expect(apply(once)).toEqual(once)
      }),
      { numRuns: runs(20_000, 500) },
    )
  })
})

describe('what is sent', () => {
  it('a new task, with the id that was made here and the instant of the change', () => {
    const { method, path, body } = addTodo.request({ id: id(4), title: 'New', at })
    expect(`${method} ${path}`).toBe('POST /api/todos')
    expect(newTodoSchema.parse(body)).toEqual({ id: id(4), title: 'New', completed: 0, at: Date.parse(at) })
  })

  it('of a toggle only what was changed, so that it cannot undo a rename made elsewhere', () => {
    const { method, path, body } = setTodoCompleted.request({
      id: id(1),
      completed: 1,
      title: 'Task 1',
      day,
      at,
    })
    expect(`${method} ${path}`).toBe(`PUT /api/todos/${id(1)}`)
    expect(body).toEqual({ completed: 1, day, at })
    expect(todoChangeSchema.parse(body)).toEqual({ completed: 1, day, at: Date.parse(at) })
  })

  it('of a rename the title', () => {
    const { method, path, body } = renameTodo.request({ id: id(1), title: 'Renamed', at })
    expect(`${method} ${path}`).toBe(`PUT /api/todos/${id(1)}/edit`)
    expect(todoEditSchema.parse(body)).toEqual({ title: 'Renamed', at: Date.parse(at) })
  })

  it('of the dates only those that were changed', () => {
    const changes = { remind_at: later }
    const { method, path, body } = setTodoDates.request({ id: id(1), changes, title: 'Task 1', at })
    expect(`${method} ${path}`).toBe(`PUT /api/todos/${id(1)}/edit`)
    expect(todoEditSchema.parse(body)).toEqual({ remind_at: later, at: Date.parse(at) })
  })

  it('of a deletion and its undoing when they were made', () => {
    const query = `?at=${encodeURIComponent(at)}`
    expect(deleteTodo.request({ id: id(1), title: '', at })).toEqual({
      method: 'DELETE',
      path: `/api/todos/${id(1)}${query}`,
    })
    expect(restoreTodo.request({ todo: todo(1), at })).toEqual({
      method: 'POST',
      path: `/api/todos/${id(1)}/restore${query}`,
    })
  })

  it('is known by a name of its own', () => {
    expect(new Set(todoWrites.map(({ name }) => name)).size).toBe(todoWrites.length)
  })
})

describe('section 8: what is told of a failure', () => {
  it.each([
    [addTodo, 'Failed to add task'],
    [setTodoCompleted, 'Failed to update todo'],
    [renameTodo, 'Failed to update todo'],
    [setTodoDates, 'Failed to update todo'],
    [deleteTodo, 'Failed to delete task'],
    [restoreTodo, 'Failed to restore task'],
  ])('the specification says it', ({ refusal }, words) => {
    expect(refusal).toBe(words)
  })
})

describe('the list', () => {
  it('is taken from our answer only', () => {
    expect(todoList.rows({ todos: rows })).toEqual(rows)
    expect(() => todoList.rows({ todos: [{ id: 1 }] })).toThrow()
    expect(() => todoList.rows({})).toThrow()
  })

  it('that was kept on the device before there were due days is still shown', () => {
    const { due_day, remind_at, ...older } = todo(1)
    expect(todoList.rows({ todos: [older] })).toEqual([todo(1)])
    expect(restoreTodo.apply([], { todo: older, at: later })).toEqual([todo(1)])
  })
})
