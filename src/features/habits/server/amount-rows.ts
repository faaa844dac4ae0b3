import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { syncedRows } from '#platform/database/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { amountRow } from '../amount-row.ts'

/** How the entries of amounts are stored, beyond what their fields declare. They are part of their habits. */
export const amountRows = syncedRows({
  table: 'amounts',
  collection: 'habits',
  fields: amountRow,
  limit: {
    most: 500_000,
    many: 'amounts of habits',
    room: 'Deleting habits frees up space after 30 days.',
  },
  otherColumns: () => ({}),
})

/** So many entries can one day of a habit have, deleted ones included: what reads a few weeks of them is bounded by that. */
const mostOnOneDay = 300

/** Throws TooManyRows. To be called once entries of these days are added. */
export async function refuseFullDays(
  tx: Transaction<Tables>,
  { user_id, id }: { user_id: string; id: string },
  days: Iterable<Day>,
): Promise<void> {
  for (const day of new Set(days)) {
    const [beyond] = await entryBeyond(tx, { user: user_id, habit: id, day, most: mostOnOneDay })
    if (!beyond) continue
    throw new TooManyRows(
      `A day of a habit can have up to ${mostOnOneDay} amounts, deleted ones included. Enter more of it at once.`,
    )
  }
}

const entryBeyond = compiledOnce<{ user: string; habit: string; day: Day; most: number }>()((db, param) =>
  db
    .selectFrom('amounts')
    .select('day')
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit'))
    .where('day', '=', param('day'))
    .limit(1)
    .offset(param('most')),
)
