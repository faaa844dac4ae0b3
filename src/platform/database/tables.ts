import type { AlarmTables } from '#platform/alarms/tables.ts'
import type { HttpTables } from '#platform/http/guards/tables.ts'
import type { PushTables } from '#platform/push/tables.ts'

/**
 * Every table: each feature adds its own, in its `tables.ts`. Ours hold only text, integers and reals, so that no engine's types
 * leak into a store.
 */
export interface Tables extends AlarmTables, HttpTables, PushTables {
  revisions: RevisionsTable
}

interface RevisionsTable {
  user_id: string
  /** Changes with every write of the user. */
  revision: string
}
