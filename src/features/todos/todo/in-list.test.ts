import { expect, it } from 'vitest'
import { lists } from '#features/lists/testing/lists.ts'
import { todos } from '../testing/todos.ts'
import { completedShown, listOf, openCounts, todosShown } from './in-list.ts'

const home = lists.wire({ id: 'home' })
const old = lists.wire({ id: 'old', archived_at: '2026-11-20T12:00:00.000Z' })
const byId = new Map([home, old].map((list) => [list.id, list]))
const rows = [null, 'home', 'old', 'deleted'].map((list_id) =>
  todos.wire({ title: String(list_id), list_id }),
)

it('a to-do whose list was deleted, or has not arrived yet, is in none', () => {
  expect(rows.map((todo) => listOf(todo, byId)?.id)).toEqual([undefined, 'home', 'old', undefined])
})

it('those of an archived list are shown only there', () => {
  expect(todosShown(rows, byId).map(({ title }) => title)).toEqual(['null', 'home', 'deleted'])
  expect(todosShown(rows, byId, home).map(({ title }) => title)).toEqual(['home'])
  expect(todosShown(rows, byId, old).map(({ title }) => title)).toEqual(['old'])
})

it('the count of a list is of its open to-dos', () => {
  const counts = openCounts([
    ...rows,
    todos.wire({ list_id: 'home' }),
    todos.wire({ list_id: 'home', completed: 1 }),
  ])
  expect([...counts]).toEqual([
    ['home', 2],
    ['old', 1],
    ['deleted', 1],
  ])
})

it('the count of completed ones is of what is shown: without those of archived lists', () => {
  const totals = { total: 10, by_list: { home: 4, old: 3 } }
  expect(completedShown(totals, byId)).toBe(7)
  expect(completedShown(totals, byId, home)).toBe(4)
  expect(completedShown(totals, byId, old)).toBe(3)
  expect(completedShown({ total: 2, by_list: {} }, byId, home)).toBe(0)
})
