import type { Transaction } from 'kysely'
import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import type { ExportedList } from '../exported-list.ts'
import { listRows } from './list-rows.ts'
import { keepingPositionsShort, liveRows } from './list-store.ts'

/** Every list that is not deleted, a few at a time. */
export async function* exportLists(db: Database, user: string): AsyncGenerator<ExportedList[]> {
  for await (const rows of liveRows(db, user)) {
    if (rows.length > 0) yield rows.map(listRows.toFile)
  }
}

/** In which of the lists there are to-dos, or some that were changed, or imported, since. */
type ListsWithTodos = (
  tx: Transaction<Tables>,
  user: string,
  lists: readonly string[],
  changedSince?: Instant,
) => Promise<Set<string>>

export const listImporter = ({ listsWithTodos }: { listsWithTodos: ListsWithTodos }) => ({
  collection: listRows.collection,
  async importRows(
    tx: Transaction<Tables>,
    user: string,
    { lists = [] }: { lists?: readonly ExportedList[] | undefined },
    now: Instant,
    adding: Adding,
    importId: string | null = null,
  ) {
    const past = lists.map((list) => ({
      ...list,
      archived_at: list.archived_at && notLater(list.archived_at, now),
    }))
    const positions = lists.map(({ position }) => position)
    const imported = await keepingPositionsShort(tx, user, positions, async (shorten) => {
      const imported = await listRows.importRows(tx, user, past, now, importId)
      const yieldPoint = createYieldPoint()
      for (const list of lists.filter(({ id }) => imported.added.has(id))) {
        await yieldPoint()
        await shorten(list)
      }
      return imported
    })
    return { lists: listRows.countImported(imported, adding) }
  },
  /** A list that is still used stays. */
  async undo(db: Database, user: string, importId: string, now: Instant) {
    const lists = await listRows.undoImport(db, user, importId, now, {
      async keeps(tx, rows) {
        const used = new Set<string>()
        for (const [since, alike] of Map.groupBy(rows, usedSince)) {
          const ids = alike.map(({ id }) => id)
          for (const id of await listsWithTodos(tx, user, ids, since)) used.add(id)
        }
        return used
      },
    })
    return { lists }
  },
})

/** A to-do keeps the list that it was in when that is deleted, which makes no use of the list when an import brings it back. */
function usedSince({ deleted_before_import, imported_at }: Tables['lists']): Instant | undefined {
  return deleted_before_import === null || imported_at === null ? undefined : imported_at
}

function notLater(instant: string, now: Instant): string {
  return instantFromWire(instant) > now ? instantToWire(now) : instant
}
