import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { rowsChanged } from '#platform/database/revisions/changed-rows.ts'
import { rowStore, type WriteHooks } from '#platform/database/rows/row-store.ts'
import type { UndoHooks } from '#platform/database/rows/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { shortenAround } from '#platform/order/move.ts'
import { byPosition, longestPosition, newestLast, type Placed } from '#platform/order/position.ts'
import type { NewOf } from '#platform/wire/synced-row.ts'
import type { List } from '../list.ts'
import type { listRow } from '../list-row.ts'
import { listRows } from './list-rows.ts'

/**
 * Shortens a list's position that has become too long, and the positions of its neighbours. The order stays, and so do the
 * instants of the last changes, because nobody moved these lists. The `before` hook returns the lists that were given such a
 * position.
 */
export const keepingPositionsShort: WriteHooks<Tables['lists'], typeof listRow, ReadonlySet<string>> = {
  async before(tx, user, given) {
    const long = given.filter(({ position = '' }) => isTooLong(position))
    // Lock the positions first, always in the same order, so that two writes that shorten never deadlock.
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

/** How many lists one query reads: few enough that other requests hardly wait. */
const readAtOnce = 100

const store = rowStore(listRows, { readBy: 'id', atOnce: readAtOnce, hooks: keepingPositionsShort })

export const listStore = {
  ...store,
  /** The lists in their order, at most `readAtOnce` at a time. */
  async *list(db: Database, user: string): AsyncGenerator<List[]> {
    // Sort here: databases sort text by the rules of a language, but positions are compared character by character.
    const lists = (await Array.fromAsync(store.list(db, user))).flat().sort(byPosition)
    for (let next = 0; next < lists.length; next += readAtOnce) yield lists.slice(next, next + readAtOnce)
  },
  /** Adds a list. Without a position it comes after the lists that were added before it. */
  add: (db: Database, user: string, id: string, row: Addition & { at: Instant }) =>
    store.add(db, user, id, { ...row, position: row.position ?? newestLast({ id, created: row.at }) }),
}

type Addition = Omit<NewOf<typeof listRow>, 'position'> & { position?: string | undefined }

/** The lists in their order, without deleted and archived ones. */
export async function listsInUse(db: Database, user: string): Promise<List[]> {
  const lists = (await Array.fromAsync(listStore.list(db, user))).flat()
  return lists.filter(({ archived_at }) => archived_at === null)
}

/** Which of the lists contain to-dos; with `changedSince`, only to-dos that were changed or imported since then count. */
export type ListsWithTodos = (
  tx: Transaction<Tables>,
  user: string,
  lists: readonly string[],
  changedSince?: Instant,
) => Promise<Set<string>>

/** The hooks for undoing an import, which keep the lists that are in use by now. */
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

/**
 * From which instant on a to-do must have changed to make its list count as used; undefined means that any to-do does. A to-do
 * keeps its list when the list is deleted. If an import then restores the list, that to-do alone does not count as use.
 */
function usedSince({ deleted_before_import, imported_at }: Tables['lists']): Instant | undefined {
  return deleted_before_import === null || imported_at === null ? undefined : imported_at
}

function isTooLong(position: string): boolean {
  return position.length > longestPosition
}

/** Locks the positions of all lists. Includes deleted ones, because a restored list returns to its place. */
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
  rowsChanged(
    tx,
    listRows.collection,
    placed.map(({ id }) => id),
  )
  const yieldPoint = createYieldPoint()
  for (const { id, position } of placed) {
    await yieldPoint()
    await tx.updateTable('lists').set({ position }).where('user_id', '=', user).where('id', '=', id).execute()
  }
}
