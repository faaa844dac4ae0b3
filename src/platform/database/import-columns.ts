import type { Instant } from '#platform/calendar/day.ts'

/** Which import made or restored a row, so that the import can be undone. */
export interface ImportColumns {
  /** The import that made or restored the row. */
  import_id: string | null
  imported_at: Instant | null
  /** When the row had been deleted before the import restored it; null if the import made the row. */
  deleted_before_import: Instant | null
}
