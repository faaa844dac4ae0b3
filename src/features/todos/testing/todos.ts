import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import type { Todo } from '../todo/todo.ts'
import { positionOf, todoRow } from '../todo/todo-row.ts'

const rows = rowBuilder(todoRow, {
  id: '01900000-0000-7000-8000-000000000001',
  title: 'Buy milk',
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
})

export const todos = {
  ...rows,
  /** Creates a to-do as responses contain it. Unless given, the position follows from the creation instant. */
  wire(values: Partial<Todo> = {}): Todo {
    const todo = rows.wire(values)
    return { ...todo, position: positionOf(todo) }
  },
}
