import type { Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    imports: ImportsTable
  }
}

/** The imports of all accounts. The rows and days that an import added contain its id. */
interface ImportsTable {
  user_id: string
  id: string
  source: string
  /** The name of the file. */
  file: string | null
  made_at: Instant
  /** How many rows of the file had each fate, as JSON; null until the last request has come. */
  counts: string | null
  /** How many rows were added or restored, by collection, as JSON. */
  added: string
  /** The preferences before and after the import, as JSON; null if it changed none. */
  preferences: string | null
  undone_at: Instant | null
  /** How many rows the undo kept, by collection, as JSON; null if the import was not undone. */
  kept: string | null
}
