import type { Instant } from '#platform/calendar/day.ts'

/** By what an import of a row is undone. */
export interface ImportColumns {
  /** The import that brought it, or brought it back. */
  import_id: string | null
  imported_at: Instant | null
  /** When it had been deleted before an import brought it back; null if that made it. */
  deleted_before_import: Instant | null
}
