import type { Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    imports: ImportsTable
  }
}

/** Rows and days that an import brought have its id. */
interface ImportsTable {
  user_id: string
  id: string
  source: string
  /** the name of the file */
  file: string | null
  made_at: Instant
  /** what became of the rows of the file, as JSON; null until the last piece has come */
  counts: string | null
  /** how much was added or brought back, by list, as JSON */
  added: string
  /** those before and after, as JSON; null if it changed none */
  preferences: string | null
  undone_at: Instant | null
  /** how much stayed when it was undone, by list, as JSON */
  kept: string | null
}
