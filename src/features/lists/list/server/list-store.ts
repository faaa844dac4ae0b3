import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { rowStore, type WriteHooks } from '#platform/database/rows/row-store.ts'
import type { UndoHooks } from '#platform/database/rows/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { createYieldPoint } from '#platform/database/work/yield-point.ts'
import { shortenAround } from '#platform/order/move.ts'
import { byPosition, longestPosition, newestLast, type Placed } from '#platform/order/position.ts'
import type { NewOf } from '#platform/wire/synced-row.ts'
import type { List } from '../list.ts'
import type { listRow } from '../list-row.ts'
import { listRows } from './list-rows.ts'

/**
 * Gives a list with a position that is too long, and its neighbours, shorter ones. The order stays, and so do the instants of the
 * last changes: nobody has moved these lists. Before: the lists that are sent such a position.
 */
export const keepingPositionsShort: WriteHooks<Tables['lists'], typeof listRow, ReadonlySet<string>> = {
  async before(tx, user, given) {
    const long = given.filter(({ position = '' }) => isTooLong(position))
    // Everyone locks in the same order, and before anything else, so that two writes that shorten never deadlock.
    if (long.length > 0) await lockPositions(tx, user)
    return new Set(long.map(({ id }) => id))
  },
  async after(tx, user, id, long) {
    if (!long.has(id)) return {}
    const ordered = (await lockPositions(tx, user)).sort(byPosition)
    const stored = ordered.find((list) => list.id === id)
    if (!stored || !isTooLong(stored.position)) return {}
    const shortened = shortenAround(ordered, id)
    await storePositions(tx, user, shortened)
    return { position: shortened.find((list) => list.id === id)?.position ?? stored.position }
  },
}

/** Few enough that other requests hardly wait for one read. */
const readAtOnce = 100

const store = rowStore(listRows, { readBy: 'id', atOnce: readAtOnce, hooks: keepingPositionsShort })

export const listStore = {
  ...store,
  /** In their order, a hundred at a time. */
  async *list(db: Database, user: string): AsyncGenerator<List[]> {
    // Databases sort text by the rules of a language, positions go by their characters.
    const lists = (await Array.fromAsync(store.list(db, user))).flat().sort(byPosition)
    for (let next = 0; next < lists.length; next += readAtOnce) yield lists.slice(next, next + readAtOnce)
  },
  /** Without a position it stands after those that were added before it. */
  add: (db: Database, user: string, id: string, row: Addition & { at: Instant }) =>
    store.add(db, user, id, { ...row, position: row.position ?? newestLast({ id, created: row.at }) }),
}

type Addition = Omit<NewOf<typeof listRow>, 'position'> & { position?: string | undefined }

/** In their order, without those that are deleted or archived. */
export async function listsInUse(db: Database, user: string): Promise<List[]> {
  const lists = (await Array.fromAsync(listStore.list(db, user))).flat()
  return lists.filter(({ archived_at }) => archived_at === null)
}

/** In which of the lists there are to-dos, or some that were changed, or imported, since. */
export type ListsWithTodos = (
  tx: Transaction<Tables>,
  user: string,
  lists: readonly string[],
  changedSince?: Instant,
) => Promise<Set<string>>

/** A list that is still used stays when the import that brought it is undone. */
export function keepingUsedLists(user: string, listsWithTodos: ListsWithTodos): UndoHooks<Tables['lists']> {
  return {
    async keeps(tx, rows) {
      const used = new Set<string>()
      for (const [since, alike] of Map.groupBy(rows, usedSince)) {
        const ids = alike.map(({ id }) => id)
        for (const id of await listsWithTodos(tx, user, ids, since)) used.add(id)
      }
      return used
    },
  }
}

/** A to-do keeps the list that it was in when that is deleted, which makes no use of the list when an import brings it back. */
function usedSince({ deleted_before_import, imported_at }: Tables['lists']): Instant | undefined {
  return deleted_before_import === null || imported_at === null ? undefined : imported_at
}

function isTooLong(position: string): boolean {
  return position.length > longestPosition
}

/** The deleted ones, too: a list that is restored stands where it stood. */
function lockPositions(tx: Transaction<Tables>, user: string): Promise<Placed[]> {
  return tx
    .selectFrom('lists')
    .select(['id', 'position'])
    .where('user_id', '=', user)
    .orderBy('id')
    .forUpdate()
    .execute()
}

async function storePositions(
  tx: Transaction<Tables>,
  user: string,
  placed: readonly Placed[],
): Promise<void> {
  const yieldPoint = createYieldPoint()
  for (const { id, position } of placed) {
    await yieldPoint()
    await tx.updateTable('lists').set({ position }).where('user_id', '=', user).where('id', '=', id).execute()
  }
}
