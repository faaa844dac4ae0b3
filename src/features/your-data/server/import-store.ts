import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type Adding, writeWithinLimits } from '#platform/database/write-within-limits.ts'
import { assembled } from '#platform/wire/synced-row.ts'
import type { Imported, ImportPiece } from '../exported-account.ts'

/** How a feature imports its part of a piece, in a write that all features share. */
export interface Importer {
  /** The name, in writes, of what it changes. */
  collection: string
  /** Why the piece cannot be imported. Called before anything is written. */
  refuse?(
    tx: Transaction<Tables>,
    user: string,
    piece: ImportPiece,
  ): Promise<{ field: string; problem: string } | undefined>
  /** Returns how many rows were imported, by the name of the list. */
  importRows(
    tx: Transaction<Tables>,
    user: string,
    piece: ImportPiece,
    now: Instant,
    adding: Adding,
  ): Promise<Partial<Imported>>
}

/**
 * Imports a piece as a whole. If it completes a habit that does not exist, or contains more than an account may have, nothing
 * is imported, and the reason is returned.
 */
export async function importPiece(
  db: Database,
  importers: readonly Importer[],
  user: string,
  piece: ImportPiece,
  now: Instant,
): Promise<{ imported: Imported } | { field: string; problem: string } | TooManyRows> {
  const collections = importers.map(({ collection }) => collection)
  return writeWithinLimits(db, user, collections, async (tx, adding) => {
    // Before anything is written, so that a rejected piece leaves nothing to undo.
    for (const importer of importers) {
      const refused = await importer.refuse?.(tx, user, piece)
      if (refused) return refused
    }
    const imported: Partial<Imported> = {}
    for (const { importRows } of importers)
      Object.assign(imported, await importRows(tx, user, piece, now, adding))
    return { imported: assembled(imported) }
  })
}
