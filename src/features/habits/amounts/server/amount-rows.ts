import { syncedRows } from '#platform/database/rows/synced-rows.ts'
import { amountRow } from '../amount-row.ts'

/** How the entries of amounts are stored, beyond what their fields declare. They belong to the collection of habits. */
export const amountRows = syncedRows({
  table: 'amounts',
  collection: 'habits',
  partOf: 'habit_id',
  fields: amountRow,
  limit: {
    most: 500_000,
    many: 'amounts of habits',
    room: 'Deleting habits frees up space after 30 days.',
  },
  // The time of entry decides which set of a day counts.
  mergesBy: ['created_at'],
  habit: 'habit_id',
  otherColumns: () => ({}),
})
