/** What there is in a database, by which two are held against each other. */
export interface Contents {
  /** The last one that it has had. */
  migration: string
  /** Of each table. */
  rows: Record<string, number>
}

/**
 * Tables whose rows must not come back with a backup: a link that was used since would work again. Nothing else depends on
 * them.
 */
export const endedByRestoring = ['verification', 'sign_ups', 'invitations', 'rateLimit']

/** The tables of which two contents do not agree, in words; undefined where they agree. */
export function differenceBetween(found: Contents['rows'], expected: Contents['rows']): string | undefined {
  const tables = [...new Set([...Object.keys(found), ...Object.keys(expected)])].toSorted()
  const different = tables.filter((table) => found[table] !== expected[table])
  if (different.length === 0) return undefined
  return different
    .map((table) => `${table} has ${found[table] ?? 'no'} rows instead of ${expected[table] ?? 'none'}`)
    .join(', ')
}
