import { type SqlBool, sql } from 'kysely'

/**
 * The days in `completions` that were not undone. Written as a literal to match the partial indexes of these days: with a bound
 * value for `done`, the query would bypass them and walk through every day that was ever undone.
 */
export const isDone = sql<SqlBool>`completions.done = 1`

/** The skipped days, likewise. */
export const isSkipped = sql<SqlBool>`completions.skipped = 1`
