import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import { focusRow } from '../sessions/focus-row.ts'

export const sessions = rowBuilder(focusRow, {
  id: '01900000-0000-7000-8000-000000000001',
  duration: 60,
  started_at: '2026-11-20T10:00:00.000Z',
  ended_at: '2026-11-20T10:01:00.000Z',
})
