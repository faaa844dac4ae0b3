import { positionShortener } from '#platform/database/rows/short-positions.ts'
import { syncedRows } from '#platform/database/rows/synced-rows.ts'
import { newestLast } from '#platform/order/position.ts'
import { habitRow } from '../habit-row.ts'

/** How habits are stored, beyond what their fields declare. */
export const habitRows = syncedRows({
  table: 'habits',
  collection: 'habits',
  fields: habitRow,
  limit: { most: 1_000, many: 'habits', room: 'Delete some first.' },
  parts: [
    { table: 'rhythms', row: 'habit_id' },
    { table: 'completions', row: 'habit_id' },
    { table: 'amounts', row: 'habit_id' },
    { table: 'habit_years', row: 'habit_id' },
  ],
  otherColumns: () => ({
    earlier_name: null,
    earlier_from: null,
    earlier_sum: null,
    first_entry_day: null,
    made_by_import: null,
  }),
})

export const { shortened } = positionShortener('habits', newestLast)

/** Limits the days that were done or skipped or have a note, including days that were reset. */
export const completionLimit = {
  table: 'completions',
  most: 500_000,
  many: 'habit completions',
  room: 'Deleting habits frees up space after 30 days.',
} as const
