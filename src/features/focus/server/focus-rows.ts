import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { syncedRows } from '#platform/database/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { focusRow } from '../focus-row.ts'

/** How focus sessions are stored, beyond what their fields declare. */
export const focusRows = syncedRows({
  table: 'focus_sessions',
  collection: 'focus',
  // What was focused on a habit counts in it.
  changesToo: ['habits'],
  fields: focusRow,
  limit: { most: 100_000, many: 'focus sessions', room: 'Delete some first.' },
  parts: [{ table: 'focus_days', row: 'session_id' }],
  otherColumns: () => ({}),
})

export const focusDayLimit = {
  table: 'focus_days',
  most: 200_000,
  many: 'days with focus sessions',
  room: 'Deleting sessions frees up space after 30 days.',
} as const

/** So many sessions can have time on one day, deleted ones included: what reads a few days of them is bounded by that. */
const mostOnOneDay = 300

/** Throws TooManyRows. To be called once rows with these days are added. */
export async function refuseFullDays(
  tx: Transaction<Tables>,
  user: string,
  days: Iterable<Day>,
): Promise<void> {
  for (const day of new Set(days)) {
    const [beyond] = await sessionBeyond(tx, { user, day, most: mostOnOneDay })
    if (!beyond) continue
    throw new TooManyRows(
      `A day can have up to ${mostOnOneDay} focus sessions, those of the last 30 days that were deleted included.`,
    )
  }
}

const sessionBeyond = compiledOnce<{ user: string; day: Day; most: number }>()((db, param) =>
  db
    .selectFrom('focus_days')
    .select('day')
    .where('user_id', '=', param('user'))
    .where('day', '=', param('day'))
    .limit(1)
    .offset(param('most')),
)
