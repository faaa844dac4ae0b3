import type { DatabaseSync } from 'node:sqlite'
import type { FoundRow } from './look-up.ts'

/** Each takes some 300 bytes. */
const mostRemembered = 10_000

/**
 * Reads rows by their key as they were last committed, and remembers what `take` makes of them until anybody commits
 * anything, in whichever process: SQLite says whether somebody has for a fraction of what finding a row takes. Not for a
 * connection that writes, since of its own commits it does not say it.
 */
export function rememberingReader<Found>(
  connection: DatabaseSync,
  query: string,
  take: (row: FoundRow) => Found,
): (keys: readonly string[]) => Map<string, Found | undefined> {
  const version = connection.prepare('pragma data_version')
  const statement = connection.prepare(query)
  const remembered = new Map<string, Found | undefined>()
  let readAt: unknown
  return (keys) => {
    // Before the rows: these can only be newer than what they are remembered as.
    const now = version.get()?.data_version
    if (now !== readAt || remembered.size > mostRemembered) remembered.clear()
    readAt = now
    const missing = keys.filter((key) => !remembered.has(key))
    if (missing.length > 0) {
      // Locking the file takes longer than finding a row.
      connection.exec('begin')
      try {
        for (const key of missing) {
          const row = statement.get(key)
          remembered.set(key, row && take(row))
        }
      } finally {
        connection.exec('commit')
      }
    }
    return new Map(keys.map((key) => [key, remembered.get(key)]))
  }
}
