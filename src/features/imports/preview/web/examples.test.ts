import { expect, test } from 'vitest'
import type { TodoToShow } from '#features/imports/rows/rows-to-show.ts'
import { todos as someTodos } from '#features/todos/testing/todos.ts'
import { daySchema } from '#platform/calendar/day.ts'
import type { FatedRow } from '../fates.ts'
import { chooseExamples } from './examples.ts'

const day = daySchema.parse('2026-11-24')
const done = { completed: 1, completed_on: day, completed_at: '2026-11-24T12:00:00.000Z' } as const

const todo = (id: string, given: Partial<TodoToShow> = {}): TodoToShow =>
  someTodos.file({ id, title: id, ...given })

const written = (ids: readonly string[], fate: FatedRow['fate'] = 'new'): FatedRow[] =>
  ids.map((id, place) => ({
    fate,
    target: id,
    row: { line: place + 1, what: 'task', title: id, becomes: `key of ${id}`, changed: [] },
  }))

const examplesOf = (todos: readonly TodoToShow[], rows: readonly FatedRow[]) =>
  chooseExamples({ lists: [], todos, habits: [], sessions: [] }, rows)

test('the examples show as many different facts as there are, in tasks that are still open', () => {
  const todos = [
    todo('done', { due_day: day, priority: 3, ...done }),
    todo('plain'),
    todo('due', { due_day: day }),
    todo('important', { priority: 3, due_day: day }),
    todo('tagged', { tags: ['home'] }),
  ]
  const examples = examplesOf(todos, written(todos.map(({ id }) => id)))
  expect(examples.map(({ id }) => id)).toEqual(['important', 'tagged', 'plain'])
})

test('nothing is an example that is not written, and a subtask only counts for its task', () => {
  const todos = [
    todo('here'),
    todo('trip'),
    todo('pack', { parent_id: 'trip' }),
    todo('book', { parent_id: 'trip', ...done }),
  ]
  const rows = [...written(['here'], 'there'), ...written(['trip', 'pack', 'book'], 'changed')]
  expect(examplesOf(todos, rows)).toMatchObject([{ id: 'trip', subtasks: { done: 1, of: 2 } }])
})

test('completed tasks are shown where there is nothing else', () => {
  expect(examplesOf([todo('done', done)], written(['done']))).toMatchObject([{ id: 'done' }])
})
