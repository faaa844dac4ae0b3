import { syncedRows } from '#platform/database/rows/synced-rows.ts'
import { focusRow } from '../focus-row.ts'

/** How focus sessions are stored, beyond the declarations of their fields. */
export const focusRows = syncedRows({
  table: 'focus_sessions',
  collection: 'focus',
  // Focus on a habit counts towards the habit, so a change to a session changes the habits too.
  changesToo: { habits: ({ habit_id }) => (habit_id === null ? [] : [habit_id]) },
  fields: focusRow,
  limit: { most: 100_000, many: 'focus sessions', room: 'Delete some first.' },
  parts: [{ table: 'focus_days', row: 'session_id' }],
  habit: 'habit_id',
  otherColumns: () => ({ knows_phases: 1 as const }),
})

export const focusDayLimit = {
  table: 'focus_days',
  most: 200_000,
  many: 'days with focus sessions',
  room: 'Deleting sessions frees up space after 30 days.',
} as const
