import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChangeStamp } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { shortenAround } from '#platform/order/move.ts'
import { byPosition, longestPosition, newestLast, type Placed } from '#platform/order/position.ts'
import type { EditOf, NewOf } from '#platform/wire/synced-row.ts'
import type { List } from '../list.ts'
import type { listRow } from '../list-row.ts'
import { listRows } from './list-rows.ts'

type Row = Tables['lists']

type Addition = Omit<NewOf<typeof listRow>, 'position'> & { position?: string | undefined; at: Instant }

type Change = EditOf<typeof listRow> & ChangeStamp

/** Few enough that other requests hardly wait for one read. */
const readAtOnce = 100

/** In their order, without the deleted ones, a hundred at a time. */
export async function* listLists(db: Database, user: string): AsyncGenerator<List[]> {
  // Databases sort text by the rules of a language, positions go by their characters.
  const lists = (await Array.fromAsync(liveRows(db, user))).flat().map(listRows.toWire).sort(byPosition)
  for (let next = 0; next < lists.length; next += readAtOnce) yield lists.slice(next, next + readAtOnce)
}

/** In their order, without those that are deleted or archived. */
export async function listsInUse(db: Database, user: string): Promise<List[]> {
  const lists = (await Array.fromAsync(listLists(db, user))).flat()
  return lists.filter(({ archived_at }) => archived_at === null)
}

/** Every list that is not deleted, by id, a hundred at a time. */
export async function* liveRows(db: Database, user: string): AsyncGenerator<Row[]> {
  for (let after = ''; ; ) {
    const rows = await rowsAfter(db.read, { user, after, limit: readAtOnce })
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < readAtOnce) return
    after = last.id
  }
}

const rowsAfter = compiledOnce<{ user: string; after: string; limit: number }>()((db, param) =>
  db
    .selectFrom('lists')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where('id', '>', param('after'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(param('limit')),
)

/**
 * Adding the same id again changes nothing and returns the stored list, or 'deleted' if it has been deleted since. Without a
 * position it stands after those that were added before it.
 */
export async function addList(
  db: Database,
  user: string,
  id: string,
  { at, position = newestLast({ id, created: at }), ...fields }: Addition,
): Promise<{ list: List; created: boolean } | 'deleted' | TooManyRows> {
  return writeWithinLimits(db, user, [listRows.collection], async (tx, adding) => {
    return keepingPositionsShort(tx, user, [position], async (shorten) => {
      const added = await listRows.add(tx, adding, user, id, { ...fields, position }, at)
      if (added === 'deleted') return added
      return { list: listRows.toWire(await shorten(added.row)), created: added.created }
    })
  })
}

/** Returns the list as it is then, or undefined if there is none or it was deleted later. */
export async function changeList(
  db: Database,
  user: string,
  id: string,
  { at, revives, ...edit }: Change,
): Promise<List | undefined> {
  return db.writeFor(user, [listRows.collection], async (tx) => {
    return keepingPositionsShort(tx, user, [edit.position], async (shorten) => {
      const row = await listRows.lock(tx, user, id)
      const changed = row && listRows.changes(row, edit, { at, revives })
      if (!changed) return undefined
      const updated = await shorten(await listRows.update(tx, row, changed, at))
      return updated.deleted_at === null ? listRows.toWire(updated) : undefined
    })
  })
}

/** Returns false if there is no such list or it is already deleted. A deletion older than another change is ignored, but returns true. */
export function deleteList(db: Database, user: string, id: string, at: Instant): Promise<boolean> {
  return listRows.remove(db, user, id, at)
}

/** Returns the list, or undefined if there is none or it was deleted later than `at`. */
export async function restoreList(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<List | undefined> {
  const row = await listRows.restore(db, user, id, at)
  return row && listRows.toWire(row)
}

/**
 * Runs what brings `positions` to lists. `shorten`, called with a list that has got one of them, gives it and its neighbours
 * shorter ones if it is too long. The order stays, and so do the instants of the last changes: nobody has moved these lists.
 */
export async function keepingPositionsShort<Done>(
  tx: Transaction<Tables>,
  user: string,
  positions: readonly (string | undefined)[],
  bring: (shorten: <Row extends Placed>(row: Row) => Promise<Row>) => Promise<Done>,
): Promise<Done> {
  if (!positions.some(isTooLong)) return bring(async (row) => row)
  // Everyone locks in the same order, and before anything else, so that two writes that shorten never deadlock.
  await lockPositions(tx, user)
  return bring(async (row) => {
    if (!isTooLong(row.position)) return row
    const ordered = (await lockPositions(tx, user)).sort(byPosition)
    const shortened = shortenAround(ordered, row.id)
    await storePositions(tx, user, shortened)
    return { ...row, position: shortened.find(({ id }) => id === row.id)?.position ?? row.position }
  })
}

function isTooLong(position: string | undefined): boolean {
  return position !== undefined && position.length > longestPosition
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
