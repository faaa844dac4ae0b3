import type { Day } from '#platform/calendar/day.ts'
import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import { habitRow } from '../habit-row.ts'

export const habits = rowBuilder(habitRow, {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Read',
  start_date: '2026-11-01' as Day,
  created_at: '2026-11-20T12:00:00.000Z',
})
