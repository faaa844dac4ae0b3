import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import { listRow } from '../list/list-row.ts'

export const lists = rowBuilder(listRow, {
  id: '01900000-0000-7000-8000-000000000009',
  name: 'Home',
  position: 'a0',
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
})
