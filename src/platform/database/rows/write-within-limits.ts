import type { Transaction } from 'kysely'
import type { Database } from '../database.ts'
import type { RowLimit } from '../row-kind.ts'
import { TooManyRows } from '../row-limits.ts'
import type { Tables } from '../tables.ts'

export interface Adding {
  /** Records that rows were added. */
  rows(limit: RowLimit, rows: number): void
  /** Whether this many more rows may exceed the limit. Only then does it matter which of the rows exist already. */
  isNear(limit: RowLimit, rows: number): Promise<boolean>
}

/**
 * Like `writeFor`, but if the write adds more rows than the user may have, all of it is rolled back and the error is returned.
 */
export async function writeWithinLimits<T>(
  db: Database,
  user: string,
  collections: readonly string[],
  work: (tx: Transaction<Tables>, adding: Adding) => Promise<T>,
): Promise<T | TooManyRows> {
  const added = new Map<RowLimit, number>()
  try {
    return await db.writeFor(user, collections, async (tx) => {
      const done = await work(tx, {
        rows(limit, rows) {
          added.set(limit, (added.get(limit) ?? 0) + rows)
        },
        isNear: (limit, rows) => db.rowCounts.isNear(tx, user, limit, rows),
      })
      for (const [limit, rows] of added) await db.rowCounts.add(tx, user, limit, rows)
      return done
    })
  } catch (error) {
    if (error instanceof TooManyRows) return error
    // The write failed, so the rows that were counted do not exist.
    db.rowCounts.forget(user)
    throw error
  }
}
