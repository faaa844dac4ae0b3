import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import type { ExportedPause } from '../exported-pause.ts'
import { pauseRows } from './pause-rows.ts'
import { liveRows } from './pause-store.ts'

/** Every pause that is not deleted, a few at a time. */
export async function* exportPauses(db: Database, user: string): AsyncGenerator<ExportedPause[]> {
  for await (const rows of liveRows(db, user)) yield rows.map(pauseRows.toFile)
}

export const pauseImporter = {
  collection: pauseRows.collection,
  async importRows(
    tx: Transaction<Tables>,
    user: string,
    { pauses = [] }: { pauses?: readonly ExportedPause[] | undefined },
    now: Instant,
    adding: Adding,
    importId: string | null = null,
  ) {
    const imported = await pauseRows.importRows(tx, user, pauses, now, importId)
    return { pauses: pauseRows.countImported(imported, adding) }
  },
  async undo(db: Database, user: string, importId: string, now: Instant) {
    return { pauses: await pauseRows.undoImport(db, user, importId, now) }
  },
}
