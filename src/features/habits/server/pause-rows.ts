import { syncedRows } from '#platform/database/synced-rows.ts'
import { pauseRow } from '../pause-row.ts'

/** How pauses are stored, beyond what their fields declare. */
export const pauseRows = syncedRows({
  table: 'pauses',
  collection: 'pauses',
  // A pause changes what its habits show.
  changesToo: ['habits'],
  fields: pauseRow,
  limit: { most: 10_000, many: 'pauses of habits', room: 'Delete some first.' },
  otherColumns: () => ({}),
})
