import type { Transaction } from 'kysely'
import type { Database } from './database.ts'
import { type LimitedTable, TooManyRows } from './row-limits.ts'
import type { Tables } from './tables.ts'

export interface Adding {
  /** Says that so many rows were added. */
  rows(table: LimitedTable, rows: number): void
  /** Whether so many rows more may be too many: only then it matters which of them are there already. */
  isNear(table: LimitedTable, rows: number): Promise<boolean>
}

/**
 * A write of a user's rows as `writeFor`. When it has added more than the user may have, all of it is undone, and that is
 * what is answered.
 */
export async function writeWithinLimits<T>(
  db: Database,
  user: string,
  lists: readonly string[],
  work: (tx: Transaction<Tables>, adding: Adding) => Promise<T>,
): Promise<T | TooManyRows> {
  const added = new Map<LimitedTable, number>()
  try {
    return await db.writeFor(user, lists, async (tx) => {
      const done = await work(tx, {
        rows(table, rows) {
          added.set(table, (added.get(table) ?? 0) + rows)
        },
        isNear: (table, rows) => db.rowCounts.isNear(tx, user, table, rows),
      })
      for (const [table, rows] of added) await db.rowCounts.add(tx, user, table, rows)
      return done
    })
  } catch (error) {
    if (error instanceof TooManyRows) return error
    // What was counted was not added.
    db.rowCounts.forget(user)
    throw error
  }
}
