import type { Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    imports: ImportsTable
  }
}

/** Rows and days that an import added contain its id. */
interface ImportsTable {
  user_id: string
  id: string
  source: string
  /** The name of the file. */
  file: string | null
  made_at: Instant
  /** The fates of the file's rows as JSON; null until the last piece has come. */
  counts: string | null
  /** How many rows were added or restored, by list, as JSON. */
  added: string
  /** The preferences before and after the import, as JSON; null if it changed none. */
  preferences: string | null
  undone_at: Instant | null
  /** How many rows the undo kept, by list, as JSON. */
  kept: string | null
}
