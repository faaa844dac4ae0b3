import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { removeTag, renameTag } from '#features/todos/tags/web/tag-writes.ts'
import { todos } from '#features/todos/testing/todos.ts'
import type { Day } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import { readInSlices } from '#platform/sync/collections/long-responses.ts'
import { snapshotOf } from '#platform/sync/collections/server-snapshot.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { runs } from '#testing/runs.ts'
import { allShownOn } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { newTodoSchema, todoChangeSchema, todoEditSchema } from '../todo-requests.ts'
import {
  addTodo,
  completedElsewhere,
  deleteTodo,
  editTodo,
  openSubtasks,
  renameTodo,
  restoreTodo,
  setTodoCompleted,
  todoCollection,
  todoWrites,
} from './todo-queries.ts'

const at = '2026-11-20T09:30:00.000Z'
const later = '2026-11-20T10:00:00.000Z'
const day = '2026-11-20' as Day
const id = (place: number) => newRowId(Date.parse(at) + place, new Uint8Array(10))

function todo(place: number, change: Partial<Todo> = {}): Todo {
  const created = Date.parse(at) + place
  return todos.wire({
    id: id(place),
    title: `Task ${place}`,
    position: newestFirst({ id: id(place), created }),
    created_at: new Date(created).toISOString(),
    updated_at: new Date(created).toISOString(),
    ...change,
  })
}

const rows = [todo(3), todo(2, { completed: 1, completed_at: at }), todo(1)]

describe('what a person sees at once', () => {
  it('a new task is the first', () => {
    const [first] = addTodo.apply(rows, { id: id(4), title: 'New', at: later })
    const position = newestFirst({ id: id(4), created: Date.parse(later) })
    expect(first).toEqual(
      todos.wire({ id: id(4), title: 'New', position, created_at: later, updated_at: later }),
    )
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
    const [, , dated] = editTodo.apply(rows, { id: id(1), changes: dates, title: '', at: later })
    expect(dated).toMatchObject({ ...dates, updated_at: later })
    const again = editTodo.apply(dated ? [dated] : [], {
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

describe('what a person sees at once of subtasks', () => {
  const trip = todo(1)
  const pack = todo(2, { parent_id: trip.id })
  const book = todo(3, { parent_id: trip.id, completed: 1, completed_at: at })
  const socks = todo(4, { parent_id: pack.id })
  const family = [socks, book, pack, trip]

  const completion = (rows: readonly Todo[]) =>
    ({ id: trip.id, completed: 1, title: '', day, at: later, subtasks: openSubtasks(rows, trip.id) }) as const

  it('completing a task completes its open subtasks at the same instant, and nothing below them', () => {
    const done = setTodoCompleted.apply(family, completion(family))
    expect(done.map(({ completed_at }) => completed_at)).toEqual([null, at, later, later])
    expect(done[1]).toBe(book)
  })

  it('a subtask that comes after the completion stays open, though the completion still waits for its answer', () => {
    const reopening = { id: trip.id, completed: 0, title: '', day, at: later } as const
    const completing = completion(family)
    const read = [todo(5, { parent_id: trip.id }), ...setTodoCompleted.apply(family, completing)]
    const shown = setTodoCompleted.apply(setTodoCompleted.apply(read, reopening), completing)
    expect(shown.map(({ completed }) => completed)).toEqual([0, 0, 1, 1, 1])
  })

  it('a repeat reopens a completed task, and no subtask', () => {
    const done = setTodoCompleted.apply(family, completion(family))
    const repeat = { freq: 'day', every: 1, mode: 'due', from: day }
    const repeated = (id: string) => editTodo.apply(done, { id, changes: { repeat }, title: '', at: later })
    const completed = (rows: readonly Todo[]) => allShownOn(rows, day).map((each) => each.completed)
    expect(completed(repeated(pack.id))).toEqual([0, 1, 1, 1])
    // Its subtasks are those of the open occurrence.
    expect(completed(repeated(trip.id))).toEqual([0, 0, 0, 0])
  })

  it('reopening a task reopens none of its subtasks', () => {
    const done = setTodoCompleted.apply(family, completion(family))
    const open = setTodoCompleted.apply(done, { id: trip.id, completed: 0, title: '', day, at: later })
    expect(open.map(({ completed }) => completed)).toEqual([0, 1, 1, 0])
  })

  it('deleting a task hides its subtasks, and Undo brings them back where they stood', () => {
    const gone = deleteTodo.apply(family, { id: trip.id, title: '', at: later })
    expect(gone).toEqual([socks])
    expect(restoreTodo.apply(gone, { todo: trip, subtasks: [pack, book], at: later })).toEqual(family)
  })

  it('deleting a subtask leaves what names it alone', () => {
    expect(deleteTodo.apply(family, { id: pack.id, title: '', at: later })).toEqual([socks, book, trip])
  })
})

describe('what a person sees at once of tags', () => {
  const tagged = [todo(1, { tags: ['Home', 'urgent'] }), todo(2, { tags: ['work'] }), todo(3)]
  const tagsOf = (list: readonly Todo[]) => list.map(({ tags }) => tags)

  it('a new task has its tags, sorted and each once', () => {
    const [first] = addTodo.apply([], { id: id(4), title: 'New', at: later, tags: ['b', 'A', 'B'] })
    expect(first?.tags).toEqual(['A', 'B'])
  })

  it('a tag is added and removed without the others, whatever its case', () => {
    const changes = { tags: { add: ['Work'], remove: ['HOME'] } }
    const [first] = editTodo.apply(tagged, { id: id(1), changes, title: '', at: later })
    expect(first?.tags).toEqual(['urgent', 'Work'])
  })

  it('a tag is renamed on all tasks, and is there once if the new one was there already', () => {
    const renamed = renameTag.apply(tagged, { tag: 'home', to: 'Work', at: later })
    expect(tagsOf(renamed)).toEqual([['urgent', 'Work'], ['work'], []])
    expect(tagsOf(renameTag.apply(renamed, { tag: 'WORK', to: 'urgent', at: later }))).toEqual([
      ['urgent'],
      ['urgent'],
      [],
    ])
    expect(renamed[1]).toBe(tagged[1])
  })

  it('a removed tag is gone from all tasks', () => {
    expect(tagsOf(removeTag.apply(tagged, { tag: 'URGENT', at: later }))).toEqual([['Home'], ['work'], []])
  })

  it('a tag of any letters reaches the server as it is', () => {
    const { path, body } = renameTag.request({ tag: 'a/b ü?', to: 'c', at })
    expect(path).toBe('/api/tags/a%2Fb%20%C3%BC%3F')
    expect(body).toEqual({ tag: 'c', at })
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
        return (list: readonly Todo[]) => editTodo.apply(list, { ...vars, id: id(vars.place), title: '' })
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
    const { method, path, body } = editTodo.request({ id: id(1), changes, title: 'Task 1', at })
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

describe('what is told of a failure', () => {
  it.each([
    [addTodo, 'Failed to add task'],
    [setTodoCompleted, 'Failed to update todo'],
    [renameTodo, 'Failed to update todo'],
    [editTodo, 'Failed to update todo'],
    [deleteTodo, 'Failed to delete task'],
    [restoreTodo, 'Failed to restore task'],
    [renameTag, 'Failed to rename tag'],
    [removeTag, 'Failed to remove tag'],
  ])('the specification says it', ({ refusal }, words) => {
    expect(refusal).toBe(words)
  })
})

describe('the list', () => {
  it('is taken from our answer only', () => {
    expect(todoCollection.rows({ todos: rows })).toEqual(rows)
    expect(() => todoCollection.rows({ todos: { id: 1 } })).toThrow()
    expect(() => todoCollection.rows({})).toThrow()
  })

  it('that was kept, and a task that waits to be restored, lack what only this version knows, which is none', () => {
    const { due_day, remind_at, list_id, parent_id, note, priority, estimate, ...before } = todo(1)
    expect(todoCollection.rows({ todos: [before] })).toEqual([todo(1)])
    const queued = JSON.parse(JSON.stringify({ todo: before, at: later }))
    expect(restoreTodo.apply([], queued)).toEqual([todo(1)])
  })

  it('of thousands has one object for all rules that are the same', async () => {
    const rule = { freq: 'day', every: 3 }
    const again = [1, 2].map((nth) => todo(nth, { repeat: { ...rule } }))
    const response = { todos: [...again, todo(3, { repeat: { ...rule, every: 2 } })] }
    const { signal } = new AbortController()
    const { rows } = (await readInSlices(todoCollection, response, { tick: 1 }, signal)).snapshot
    expect(rows.map(({ repeat }) => repeat)).toEqual([rule, rule, { ...rule, every: 2 }])
    expect(rows[1]?.repeat).toBe(rows[0]?.repeat)
  })

  it('of thousands is stored without what is none, and read back as it was', async () => {
    const full = todo(2, { tags: ['home'], priority: 2, note: 'Here', due_day: day, repeat: { freq: 'day' } })
    const unknown = [null, 'a task', { ...todo(3), priority: 'urgent' }]
    const response = { todos: [todo(1), full, ...unknown], completed: { total: 9, by_list: {} } }
    const { signal } = new AbortController()
    const { snapshot, stored } = await readInSlices(todoCollection, response, { tick: 1 }, signal)
    expect(snapshot).toEqual(snapshotOf(todoCollection, response, { tick: 1 }))
    expect(snapshotOf(todoCollection, stored, { tick: 1 })).toEqual(snapshot)
    expect(JSON.stringify(stored).length).toBeLessThan(0.75 * JSON.stringify(response).length)
  })

  it('says how many completed tasks it leaves out, and nothing of them in a form that is not known', () => {
    const completed = { total: 9, by_list: {} }
    expect(todoCollection.totals?.({ todos: rows, completed })).toEqual(completed)
    expect(todoCollection.totals?.({ todos: rows, completed: 9 })).toBeUndefined()
    expect(completedElsewhere({ rows, totals: undefined, tick: 1 }, [])).toEqual({ total: 0, by_list: {} })
  })
})

describe('the completed tasks that this device does not have', () => {
  const done = { completed: 1, completed_at: at } as const
  const [home, work] = [id(7), id(8)]
  const here = [todo(1), todo(2, done), todo(3, { ...done, list_id: home })]
  const totals = { total: 12, by_list: { [home]: 5, [work]: 3 } }
  const elsewhere = todo(9, { ...done, list_id: home })
  const complete = { id: elsewhere.id, title: '', day, at: later } as const

  it('are all but those that it has, in all and in each list', () => {
    expect(completedElsewhere({ rows: here, totals, tick: 1 }, [])).toEqual({
      total: 10,
      by_list: { [home]: 4, [work]: 3 },
    })
    expect(completedElsewhere({ rows: here, totals: undefined, tick: 1 }, [])).toEqual({
      total: 0,
      by_list: { [home]: 0 },
    })
  })

  it('are one less with each that is reopened or deleted here, and no less for others', () => {
    const queued = [
      { write: setTodoCompleted.name, vars: { ...complete, completed: 0, elsewhere } },
      { write: deleteTodo.name, vars: { id: id(10), title: '', at: later, elsewhere: todo(10, done) } },
      { write: setTodoCompleted.name, vars: { ...complete, id: id(2), completed: 0 } },
    ].map((each, place) => ({ ...each, id: `${place}`, version: 1 }))
    expect(completedElsewhere({ rows: here, totals, tick: 1 }, queued)).toEqual({
      total: 8,
      by_list: { [home]: 3, [work]: 3 },
    })
  })

  it('are one less for a row with several writes, and no less for one that is here', () => {
    const queued = [
      { ...complete, completed: 0, elsewhere },
      { ...complete, completed: 1, elsewhere },
      { ...complete, id: id(2), completed: 0, elsewhere: todo(2, done) },
    ].map((vars, place) => ({ write: setTodoCompleted.name, vars, id: `${place}`, version: 1 }))
    expect(completedElsewhere({ rows: here, totals, tick: 1 }, queued).total).toBe(9)
  })

  it('are here once one is reopened, in its place, and are not there twice', () => {
    const vars = { ...complete, id: id(2), completed: 0, elsewhere: todo(2, done) } as const
    const reopened = setTodoCompleted.apply([todo(3), todo(1)], vars)
    expect(reopened.map(({ title, completed }) => [title, completed])).toEqual([
      ['Task 3', 0],
      ['Task 2', 0],
      ['Task 1', 0],
    ])
    expect(setTodoCompleted.apply(reopened, vars)).toEqual(reopened)
    expect(deleteTodo.apply(here, { id: id(10), title: '', at: later, elsewhere: todo(10, done) })).toEqual(
      here,
    )
  })

  it('are sent like any other change, without the task itself', () => {
    expect(setTodoCompleted.request({ ...complete, completed: 0, elsewhere }).body).toEqual({
      completed: 0,
      day,
      at: later,
    })
  })
})
