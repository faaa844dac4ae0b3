import { syncedRows } from '#platform/database/rows/synced-rows.ts'
import { listRow } from '../list-row.ts'

/** How lists are stored, in addition to what their fields declare. */
export const listRows = syncedRows({
  table: 'lists',
  collection: 'lists',
  fields: listRow,
  limit: { most: 1_000, many: 'lists', room: 'Delete some first.' },
  otherColumns: () => ({}),
})
