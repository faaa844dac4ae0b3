import type { Kysely } from 'kysely'
import { compiledOnce } from '../compiled-once.ts'
import { mostLogged } from '../revision.ts'
import type { Tables } from '../tables.ts'
import type { ChangedRows } from './changed-rows.ts'

// The log of what each write changed (table `row_changes`): from one revision to the next, which rows of which collection. It
// reaches back two days, and not further than `mostLogged` writes. That is enough: a device reads everything anew each day anyway.

/** Nearly every device is only a few changes behind. */
const mostAtFirst = 16
/** The most rows that are sent as changed. */
const mostRows = 200

/** As it is stored: null stands for any row. */
type LoggedRows = Record<string, readonly string[] | null>

/** What a write told, as it is stored. */
export function loggedRows(changed: ChangedRows): string {
  const logged: LoggedRows = {}
  for (const [collection, ids] of changed) logged[collection] = ids === 'any' ? null : [...ids]
  return JSON.stringify(logged)
}

/**
 * The ids of the rows of a collection that changed after the revision `since` and up to `until`. Undefined if any may have: the
 * log doesn't reach back so far, a link of it is missing (such as a write of an earlier version of this program, or of a database
 * that was restored from a backup), a write didn't tell, or there are too many. So it is if one of `always` changed, on which every
 * answer depends.
 */
export async function rowsChangedSince(
  db: Kysely<Tables>,
  user: string,
  collection: string,
  { since, until, always }: { since: string; until: string; always: readonly string[] },
): Promise<string[] | undefined> {
  // On PostgreSQL, a user's first write follows an empty revision, at which nobody has read anything.
  if (since === '') return undefined
  const changed = new Set<string>()
  let revision = until
  let isFound = false
  let last = Number.MAX_SAFE_INTEGER
  for (const limit of [mostAtFirst, mostLogged - mostAtFirst]) {
    const changes = await latestChanges(db, { user, before: last, limit })
    for (const change of changes) {
      last = change.number
      // Written after the revision at which this request was let in.
      if (!isFound && change.revision !== until) continue
      isFound = true
      if (change.revision !== revision) return undefined
      const rows = rowsIn(change.rows)
      const ids = rows[collection]
      if (ids === null || always.some((name) => name in rows)) return undefined
      for (const id of ids ?? []) changed.add(id)
      if (changed.size > mostRows) return undefined
      if (change.before === since) return [...changed]
      revision = change.before
    }
    if (changes.length < limit) return undefined
  }
  return undefined
}

const latestChanges = compiledOnce<{ user: string; before: number; limit: number }>()((db, param) =>
  db
    .selectFrom('row_changes')
    .select(['number', 'revision', 'before', 'rows'])
    .where('user_id', '=', param('user'))
    .where('number', '<', param('before'))
    .orderBy('number', 'desc')
    .limit(param('limit')),
)

function rowsIn(logged: string): LoggedRows {
  return JSON.parse(logged)
}
