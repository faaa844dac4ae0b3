import { expect, test } from 'vitest'
import { editedNames } from '#platform/wire/synced-row.ts'
import { todos } from '../testing/todos.ts'
import { todoRow } from '../todo/todo-row.ts'
import { copiedTodo } from './copied-todo.ts'

const noon = Date.parse('2026-11-25T12:00:00Z')

test('a copy has all that can be changed in a task, and its tags', () => {
  const todo = todos.wire({ note: 'Light', priority: 2, estimate: 30, tags: ['travel'] })
  const copy = copiedTodo(todo, noon)
  expect(Object.keys(copy).toSorted()).toEqual(
    [...editedNames(todoRow).filter((name) => name !== 'reminder'), 'tags'].toSorted(),
  )
  expect(todo).toMatchObject(copy)
})

test('a copy reminds as the task does, but not of what has passed', () => {
  const reminder = { days_before: 1, time: 480 }
  const [ahead, passed] = ['2026-11-25T12:00:01.000Z', '2026-11-25T11:00:00.000Z']
  expect(copiedTodo(todos.wire({ reminder, remind_at: passed }), noon)).toMatchObject({ reminder })
  expect(copiedTodo(todos.wire({ remind_at: ahead }), noon)).toMatchObject({ remind_at: ahead })
  expect(copiedTodo(todos.wire({ remind_at: passed }), noon)).toMatchObject({ remind_at: null })
})
