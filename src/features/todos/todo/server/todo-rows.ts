import { syncedRows } from '#platform/database/rows/synced-rows.ts'
import { todoRow } from '../todo-row.ts'
import { deleteHidden } from './subtask-store.ts'

/** How to-dos are stored, beyond what their fields declare. */
export const todoRows = syncedRows({
  table: 'todos',
  collection: 'todos',
  fields: todoRow,
  limit: { most: 100_000, many: 'tasks', room: 'Delete some first.' },
  parts: [
    { table: 'todo_tags', row: 'todo_id' },
    { table: 'todo_days', row: 'todo_id' },
  ],
  takeAlong: deleteHidden,
  mergesBy: ['completed_changed_at', 'tags_at'],
  otherColumns: (at) => ({
    completed_changed_at: at,
    reminded_at: null,
    tags_at: at,
    earlier: null,
    earlier_before: null,
    times_done: 0,
  }),
})
