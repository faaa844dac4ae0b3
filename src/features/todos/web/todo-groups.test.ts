import { describe, expect, test } from 'vitest'
import type { Todo } from '../todo.ts'
import { groupTodos } from './todo-groups.ts'

const none = new Map<string, Todo>()

function todo(id: string, created: string, completed: string | null = null): Todo {
  return {
    id,
    title: id,
    completed: completed === null ? 0 : 1,
    completed_at: completed,
    due_day: null,
    remind_at: null,
    created_at: created,
    updated_at: created,
  }
}

function ids(todos: readonly Todo[]): string[] {
  return todos.map(({ id }) => id)
}

describe('the groups of the to-do list', () => {
  test('open ones stand newest first, whatever order they came in', () => {
    const rows = [todo('old', '2026-11-18T09:00:00.000Z'), todo('new', '2026-11-20T09:00:00.000Z')]
    expect(ids(groupTodos(rows, none).open)).toEqual(['new', 'old'])
  })

  test('completed ones stand by their completion, newest first, not by when they were added', () => {
    const rows = [
      todo('added last', '2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'),
      todo('completed last', '2026-11-18T09:00:00.000Z', '2026-11-20T11:00:00.000Z'),
      todo('open', '2026-11-19T09:00:00.000Z'),
    ]
    const { open, completed } = groupTodos(rows, none)
    expect(ids(completed)).toEqual(['completed last', 'added last'])
    expect(ids(open)).toEqual(['open'])
  })

  test('one that was just ticked stays where it was, and shows its tick there', () => {
    const before = todo('b', '2026-11-19T09:00:00.000Z')
    const ticked = todo('b', '2026-11-19T09:00:00.000Z', '2026-11-20T12:00:00.000Z')
    const rows = [todo('c', '2026-11-20T09:00:00.000Z'), ticked, todo('a', '2026-11-18T09:00:00.000Z')]
    const { open, completed } = groupTodos(rows, new Map([['b', before]]))
    expect(ids(open)).toEqual(['c', 'b', 'a'])
    expect(open[1]).toBe(ticked)
    expect(completed).toEqual([])
  })

  test('one that was just unticked stays at its place among the completed', () => {
    const before = todo('b', '2026-11-19T09:00:00.000Z', '2026-11-20T11:00:00.000Z')
    const rows = [
      todo('a', '2026-11-18T09:00:00.000Z', '2026-11-20T12:00:00.000Z'),
      todo('b', '2026-11-19T09:00:00.000Z'),
      todo('c', '2026-11-17T09:00:00.000Z', '2026-11-20T10:00:00.000Z'),
    ]
    expect(ids(groupTodos(rows, new Map([['b', before]])).completed)).toEqual(['a', 'b', 'c'])
  })
})
