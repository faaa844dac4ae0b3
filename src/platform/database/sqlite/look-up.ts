import type { DatabaseSync } from 'node:sqlite'
import type { FoundRow } from '../look-up.ts'

/** The most rows to cache; each takes some 300 bytes. */
const maxCached = 10_000

/**
 * Reads rows by key as they were last committed, and caches what `take` returns for them until any process commits. Asking SQLite
 * whether anybody has committed costs a fraction of finding a row. Not for a connection that writes, since SQLite does not report
 * a connection's own commits to it.
 */
export function cachingReader<Found>(
  connection: DatabaseSync,
  query: string,
  take: (row: FoundRow) => Found,
): (keys: readonly string[]) => Map<string, Found | undefined> {
  const version = connection.prepare('pragma data_version')
  const statement = connection.prepare(query)
  const cached = new Map<string, Found | undefined>()
  let readAt: unknown
  return (keys) => {
    // Read the version before the rows: they can then only be newer than the version they are cached under.
    const now = version.get()?.data_version
    if (now !== readAt || cached.size > maxCached) cached.clear()
    readAt = now
    const missing = keys.filter((key) => !cached.has(key))
    if (missing.length > 0) {
      // Locking the file takes longer than finding a row, so it is locked once for all rows.
      connection.exec('begin')
      try {
        for (const key of missing) {
          const row = statement.get(key)
          cached.set(key, row && take(row))
        }
      } finally {
        connection.exec('commit')
      }
    }
    return new Map(keys.map((key) => [key, cached.get(key)]))
  }
}
