import { type SqlBool, sql } from 'kysely'

/**
 * Of the days of `completions` those that were not taken back. Written out as in the indexes that hold these alone: a `done`
 * whose value is bound leads past them, through every day that was ever taken back.
 */
export const isDone = sql<SqlBool>`completions.done = 1`
