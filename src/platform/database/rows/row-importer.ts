import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { type AllOf, assembled, type EditOf, type Fields } from '#platform/wire/synced-row.ts'
import type { Database } from '../database.ts'
import { createYieldPoint } from '../pacing/yield-point.ts'
import type { SyncedTable } from '../row-kind.ts'
import type { Tables } from '../tables.ts'
import type { WriteHooks } from './row-store.ts'
import type { ImportedRows, SyncedRows, UndoHooks } from './synced-rows.ts'
import type { Adding } from './write-within-limits.ts'

/**
 * Imports the rows of a collection from a piece (a part of an export that fits into one request), and deletes them again when the
 * import is undone.
 */
export function rowImporter<
  Table extends SyncedTable,
  F extends Fields,
  Collection extends string,
  Before = never,
>(
  rows: SyncedRows<Table, F>,
  collection: Collection,
  { past, hooks, undo }: ImportOptions<Tables[Table], F, Before> = {},
) {
  type FileRow = AllOf<F> & EditOf<F> & { id: string }

  async function importGiven(
    tx: Transaction<Tables>,
    user: string,
    given: readonly FileRow[],
    now: Instant,
    importId: string | null,
  ): Promise<ImportedRows> {
    if (!hooks) return rows.importRows(tx, user, given, now, importId)
    const before = await hooks.before(tx, user, given)
    const imported = await rows.importRows(tx, user, given, now, importId)
    const yieldPoint = createYieldPoint()
    for (const { id } of given.filter(({ id }) => imported.added.has(id))) {
      await yieldPoint()
      await hooks.after(tx, user, id, before)
    }
    return imported
  }

  return {
    collection: rows.collection,
    async importRows(
      tx: Transaction<Tables>,
      user: string,
      piece: { readonly [Name in Collection]?: readonly FileRow[] | undefined },
      now: Instant,
      adding: Adding,
      importId: string | null = null,
    ): Promise<Record<Collection, { added: number; restored: number }>> {
      const given = piece[collection] ?? []
      const written = past ? given.map((row) => ({ ...row, ...past(row, now) })) : given
      const counts = rows.countImported(await importGiven(tx, user, written, now, importId), adding)
      return assembled({ [collection]: counts })
    },
    async undo(
      db: Database,
      user: string,
      importId: string,
      now: Instant,
    ): Promise<Record<Collection, number>> {
      return assembled({ [collection]: await rows.undoImport(db, user, importId, now, undo?.(user)) })
    },
  }
}

interface ImportOptions<Row, F extends Fields, Before> {
  /** Replaces values of a row that may not lie in the future. */
  past?: (row: EditOf<F>, now: Instant) => EditOf<F>
  hooks?: WriteHooks<Row, F, Before>
  undo?: (user: string) => UndoHooks<Row>
}
