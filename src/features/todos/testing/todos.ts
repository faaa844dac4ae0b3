import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import { todoRow } from '../todo-row.ts'

export const todos = rowBuilder(todoRow, {
  id: '01900000-0000-7000-8000-000000000001',
  title: 'Buy milk',
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
})
