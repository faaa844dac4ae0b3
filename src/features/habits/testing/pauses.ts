import type { Day } from '#platform/calendar/day.ts'
import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import { pauseRow } from '../pauses/pause-row.ts'

export const pauses = rowBuilder(pauseRow, {
  id: '01900000-0000-7000-8000-000000000001',
  from_day: '2026-11-01' as Day,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
})
