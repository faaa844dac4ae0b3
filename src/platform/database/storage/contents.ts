/** The contents of a database, for comparing two databases. */
export interface Contents {
  /** The last migration that was applied. */
  migration: string
  /** Row counts by table. */
  rows: Record<string, number>
}

/**
 * Tables whose rows must not come back with a restore: a link that has been used since the backup would work again. Nothing else
 * depends on these rows.
 */
export const tablesNotRestored = ['verification', 'sign_ups', 'invitations', 'rateLimit']

/** Describes the tables whose row counts differ; undefined if none do. */
export function differenceBetween(found: Contents['rows'], expected: Contents['rows']): string | undefined {
  const tables = [...new Set([...Object.keys(found), ...Object.keys(expected)])].toSorted()
  const different = tables.filter((table) => found[table] !== expected[table])
  if (different.length === 0) return undefined
  return different
    .map((table) => `${table} has ${found[table] ?? 'no'} rows instead of ${expected[table] ?? 'none'}`)
    .join(', ')
}
