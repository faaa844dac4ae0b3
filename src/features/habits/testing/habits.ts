import type { Day } from '#platform/calendar/day.ts'
import { rowBuilder } from '#platform/wire/testing/row-builder.ts'
import type { ExportedHabit } from '../account-file/exported-habit.ts'
import { habitRow } from '../habit/habit-row.ts'

export const habits = rowBuilder(habitRow, {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Read',
  start_date: '2026-11-01' as Day,
  created_at: '2026-11-20T12:00:00.000Z',
})

/** A habit as in a file: Daily, with nothing done yet. */
export function exportedHabit(fields: Partial<ExportedHabit>): ExportedHabit {
  const { completions = [], skips = [], notes = [], amounts = [], frequency = 'daily', ...row } = fields
  const habit = { ...habits.file({}), ...row }
  const rhythms = [{ from_day: habit.start_date, rhythm: { every: 1 }, target: 'yes' as const }]
  return { frequency, rhythms, completions, skips, notes, amounts, ...habit }
}
