import { expect, test } from 'vitest'
import { filesOfFeatures, nearTests } from './near-tests.mjs'

const files = new Map([
  ['src/features/todos/todo.ts', `import * as z from 'zod/mini'`],
  ['src/features/todos/todo.test.ts', `import { Todo } from './todo.ts'`],
  ['src/features/todos/server/todo-store.ts', `import type { Todo } from '#features/todos/todo.ts'`],
  ['src/features/todos/server/todo-store.test.ts', `import { add } from './todo-store.ts'`],
  ['src/features/analytics/trend.ts', `import { Todo } from '#features/todos/todo.ts'`],
  ['src/features/analytics/trend.test.ts', `import { trend } from './trend.ts'`],
  ['src/features/habits/streak.ts', `import { dayOf } from '#platform/calendar/day.ts'`],
  ['src/features/habits/streak.test.ts', `import { streak } from './streak.ts'`],
  ['src/platform/calendar/day.ts', ''],
  ['src/platform/calendar/day.test.ts', `import { dayOf } from './day.ts'`],
  ['src/app/api.ts', `import { add } from '#features/todos/server/todo-store.ts'`],
  ['src/app/anywhere/todos.test.ts', `import { app } from '../api.ts'`],
  ['src/app/anywhere/todo-order.test.ts', `import { app } from '../api.ts'`],
  ['src/app/anywhere/habits.test.ts', `import { app } from '../api.ts'`],
  ['src/app/house.test.ts', `import { Todo } from '#features/todos/todo.ts'`],
  ['e2e/todos.spec.ts', ''],
  ['e2e/todos-look.spec.ts', ''],
  ['e2e/habits.spec.ts', ''],
])

const nearTodos = {
  units: [
    'src/app/anywhere/todo-order.test.ts',
    'src/app/anywhere/todos.test.ts',
    'src/features/analytics/trend.test.ts',
    'src/features/todos/server/todo-store.test.ts',
    'src/features/todos/todo.test.ts',
  ],
  browser: ['e2e/todos.spec.ts'],
}

test('near a change are the tests of its feature and of what is built on it, to the wire and the screen', () => {
  expect(nearTests(['src/features/todos/todo.ts'], files)).toEqual(nearTodos)
})

test('a feature that is named is taken as changed throughout', () => {
  expect(nearTests(filesOfFeatures(['todos'], files), files)).toEqual(nearTodos)
  expect(() => filesOfFeatures(['chores'], files)).toThrow('There is no feature named chores.')
})

test('near a file that features build on are the tests of those that name it', () => {
  expect(nearTests(['src/platform/calendar/day.ts'], files)).toEqual({
    units: ['src/features/habits/streak.test.ts', 'src/platform/calendar/day.test.ts'],
    browser: [],
  })
})

test('a test that was changed is near, and so are those of a file that is gone', () => {
  expect(nearTests(['src/app/house.test.ts', 'e2e/todos-look.spec.ts'], files)).toEqual({
    units: ['src/app/house.test.ts'],
    browser: ['e2e/todos-look.spec.ts'],
  })
  const without = new Map([...files].filter(([path]) => path !== 'src/features/todos/todo.ts'))
  expect(nearTests(['src/features/todos/todo.ts'], without)).toEqual(nearTodos)
})
