import { syncedRows } from '#platform/database/synced-rows.ts'
import { todoRow } from '../todo-row.ts'

/** How to-dos are stored, beyond what their fields declare. */
export const todoRows = syncedRows({
  table: 'todos',
  collection: 'todos',
  fields: todoRow,
  limit: { most: 100_000, many: 'tasks', room: 'Delete some first.' },
  otherColumns: (at) => ({ completed_changed_at: at, reminded_at: null }),
})
