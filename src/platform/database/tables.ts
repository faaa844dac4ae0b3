/**
 * Every table. Each feature, and each part of the platform with tables, adds its own in a `tables.ts`. Our tables hold only text,
 * integers and reals, so that no engine's types leak into a store.
 */
export interface Tables {
  revisions: RevisionsTable
}

interface RevisionsTable {
  user_id: string
  /** Changes with every write of the user. */
  revision: string
}
