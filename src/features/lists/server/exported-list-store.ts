import type { Transaction } from 'kysely'
import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import type { ExportedList } from '../exported-list.ts'
import { listRows } from './list-rows.ts'
import { keepingPositionsShort, liveRows } from './list-store.ts'

/** Every list that is not deleted, a few at a time. */
export async function* exportLists(db: Database, user: string): AsyncGenerator<ExportedList[]> {
  for await (const rows of liveRows(db, user)) {
    if (rows.length > 0) yield rows.map(listRows.toFile)
  }
}

export const listImporter = {
  collection: listRows.collection,
  async importRows(
    tx: Transaction<Tables>,
    user: string,
    { lists = [] }: { lists?: readonly ExportedList[] | undefined },
    now: Instant,
    adding: Adding,
  ) {
    const past = lists.map((list) => ({
      ...list,
      archived_at: list.archived_at && notLater(list.archived_at, now),
    }))
    const positions = lists.map(({ position }) => position)
    const imported = await keepingPositionsShort(tx, user, positions, async (shorten) => {
      const imported = await listRows.importRows(tx, user, past, now)
      for (const list of lists) if (imported.added.has(list.id)) await shorten(list)
      return imported
    })
    return { lists: listRows.countImported(imported, adding) }
  },
}

function notLater(instant: string, now: Instant): string {
  return instantFromWire(instant) > now ? instantToWire(now) : instant
}
