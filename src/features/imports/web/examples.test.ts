import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import type { FatedRow } from '../fates.ts'
import type { Reading, ReadTodo } from '../reading.ts'
import { chooseExamples } from './examples.ts'

const day = daySchema.parse('2026-11-24')

const todo = (key: string, given: Partial<ReadTodo> = {}): ReadTodo => ({
  key,
  title: key,
  note: '',
  priority: 0,
  tags: [],
  ...given,
})

const reading = (given: Partial<Reading>): Reading => ({
  lists: [],
  todos: [],
  habits: [],
  sessions: [],
  rows: [],
  notes: [],
  questions: [],
  ...given,
})

const written = (keys: readonly string[], fate: FatedRow['fate'] = 'new'): FatedRow[] =>
  keys.map((key, place) => ({
    fate,
    row: { line: place + 1, what: 'task', title: key, becomes: key, changed: [] },
  }))

const keysOf = (given: Partial<Reading>, rows: readonly FatedRow[]) =>
  chooseExamples(reading(given), rows).map(({ key }) => key)

test('the examples show as many different facts as there are, in tasks that are still open', () => {
  const todos = [
    todo('done', { due: day, priority: 3, completed: { at: 0, on: day } }),
    todo('plain'),
    todo('due', { due: day }),
    todo('important', { priority: 3, due: day }),
    todo('tagged', { tags: ['home'] }),
  ]
  expect(keysOf({ todos }, written(todos.map(({ key }) => key)))).toEqual(['important', 'tagged', 'plain'])
})

test('nothing is an example that is not written, and a subtask only counts for its task', () => {
  const todos = [
    todo('here'),
    todo('trip'),
    todo('pack', { parent: 'trip' }),
    todo('book', { parent: 'trip', completed: { at: 0, on: day } }),
  ]
  const rows = [...written(['here'], 'there'), ...written(['trip', 'pack', 'book'], 'changed')]
  expect(chooseExamples(reading({ todos }), rows)).toMatchObject([
    { key: 'trip', subtasks: { done: 1, of: 2 } },
  ])
})

test('completed tasks are shown where there is nothing else', () => {
  const todos = [todo('done', { completed: { at: 0, on: day } })]
  expect(keysOf({ todos }, written(['done']))).toEqual(['done'])
})
