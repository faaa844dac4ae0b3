import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { ChangeStamp } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import type { EditOf, NewOf } from '#platform/wire/synced-row.ts'
import type { PauseRow } from '../pause.ts'
import type { pauseRow } from '../pause-row.ts'
import { pauseRows } from './pause-rows.ts'

// Nothing is written to the habits that a pause concerns: the sums of their older days name the pauses that they were computed with (`earlier-store.ts`). A pause of a habit that is not
// there is kept and reads as none, and so does one that ends before it begins.

/** Few enough that other requests hardly wait for one read. */
const readAtOnce = 1_000

/** In the order in which they were made, without the deleted ones. */
export async function* listPauses(db: Database, user: string): AsyncGenerator<PauseRow[]> {
  for await (const rows of liveRows(db, user)) yield rows.map(pauseRows.toWire)
}

/** The same as they are stored. */
export async function* liveRows(db: Database, user: string): AsyncGenerator<Tables['pauses'][]> {
  for (let after: { created_at: Instant; id: string } | undefined; ; ) {
    const last = after
    const rows = await db.read
      .selectFrom('pauses')
      .selectAll()
      .where('user_id', '=', user)
      .where('deleted_at', 'is', null)
      .$if(last !== undefined, (query) =>
        query.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(last?.created_at ?? 0, last?.id ?? '')),
        ),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(readAtOnce)
      .execute()
    yield rows
    after = rows.at(-1)
    if (!after || rows.length < readAtOnce) return
  }
}

/** Adding the same id again changes nothing and returns the stored pause, or 'deleted' if it has been deleted since. */
export async function addPause(
  db: Database,
  user: string,
  id: string,
  { at, ...fields }: NewOf<typeof pauseRow> & { at: Instant },
): Promise<{ pause: PauseRow; created: boolean } | 'deleted' | TooManyRows> {
  return writeWithinLimits(db, user, pauseRows.collections, async (tx, adding) => {
    const added = await pauseRows.add(tx, adding, user, id, fields, at)
    if (added === 'deleted') return added
    return { pause: pauseRows.toWire(added.row), created: added.created }
  })
}

/** Returns the pause as it is then, or undefined if there is none or it was deleted later. */
export async function changePause(
  db: Database,
  user: string,
  id: string,
  { at, revives, ...edit }: EditOf<typeof pauseRow> & ChangeStamp,
): Promise<PauseRow | undefined> {
  return db.writeFor(user, pauseRows.collections, async (tx) => {
    const row = await pauseRows.lock(tx, user, id)
    const changed = row && pauseRows.changes(row, edit, { at, revives })
    if (!changed) return undefined
    const updated = await pauseRows.update(tx, row, changed, at)
    return updated.deleted_at === null ? pauseRows.toWire(updated) : undefined
  })
}

/** Returns false if there is no such pause or it is already deleted. A deletion older than another change is ignored, but returns true. */
export function deletePause(db: Database, user: string, id: string, at: Instant): Promise<boolean> {
  return pauseRows.remove(db, user, id, at)
}

/** Returns the pause, or undefined if there is none or it was deleted later than `at`. */
export async function restorePause(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<PauseRow | undefined> {
  const row = await pauseRows.restore(db, user, id, at)
  return row && pauseRows.toWire(row)
}
