import type { Instant } from '#platform/calendar/day.ts'
import type { Defaulted } from './defaulted.ts'

/**
 * Every table. Each feature, and each part of the platform with tables, adds its own in a `tables.ts`. Our tables hold only text,
 * integers and reals, so that no engine's types leak into a store.
 */
export interface Tables {
  revisions: RevisionsTable
  row_changes: RowChangesTable
}

interface RevisionsTable {
  user_id: string
  /** Changes with every write of the user. */
  revision: string
  /** The number of the user's latest logged change. */
  number: Defaulted<number>
}

/** What a write of a user changed (`revisions/change-log.ts`). */
interface RowChangesTable {
  user_id: string
  /** Counts the user's logged changes. */
  number: number
  /** The user's revision after the write, and the one before it. */
  revision: string
  before: string
  changed_at: Instant
  /** The ids of the changed rows by collection, as JSON; null stands for any row. */
  rows: string
}
