import type { Instant } from '#platform/calendar/day.ts'
import type { ImportColumns } from '#platform/database/import-columns.ts'
import type { ListColor, TodoSort } from '../list-row.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    lists: ListsTable
  }
}

/** Each editable field has a column with the instant of its last change, because the last change wins. */
interface ListsTable extends ImportColumns {
  user_id: string
  id: string
  name: string
  name_at: Instant
  color: ListColor
  color_at: Instant
  position: string
  position_at: Instant
  sort: TodoSort
  sort_at: Instant
  /** When the list was archived; null while it is in use. */
  archived_at: Instant | null
  archive_changed_at: Instant
  created_at: Instant
  updated_at: Instant
  /** When the list was last deleted; null while it exists. */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}
