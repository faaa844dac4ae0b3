import { syncedRows } from '#platform/database/synced-rows.ts'
import { habitRow } from '../habit-row.ts'

/** How habits are stored, beyond what their fields declare. */
export const habitRows = syncedRows({
  table: 'habits',
  collection: 'habits',
  fields: habitRow,
  limit: { most: 1_000, many: 'habits', room: 'Delete some first.' },
  parts: [
    { table: 'completions', row: 'habit_id' },
    { table: 'habit_years', row: 'habit_id' },
  ],
  otherColumns: () => ({
    earlier_rhythm: null,
    earlier_from: null,
    earlier_run: null,
    earlier_longest: null,
  }),
})

/** Days on which a habit was done, and days whose completion was undone. */
export const completionLimit = {
  table: 'completions',
  most: 500_000,
  many: 'habit completions',
  room: 'Deleting habits frees up space after 30 days.',
} as const
