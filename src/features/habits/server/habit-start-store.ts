import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { amountOf } from '../amounts.ts'
import { rhythmOn } from '../rhythm.ts'
import { isDone } from './done-days-store.ts'
import { readEntriesOn, readRhythmsOf } from './habit-days-store.ts'

// When a habit begins: on the day that was chosen, or earlier where something was entered since that choice and still stands. What
// was entered before the choice stays as it is, and doesn't count. The first day of the former is kept in the habit's row.

type Row = Tables['habits']

/** What changes in a habit of which these days were changed, or the start was chosen anew. The habit must be locked. */
export async function withFirstEntry(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[],
): Promise<Partial<Row>> {
  if (days.every((day) => day >= row.start_day)) return {}
  const first_entry_day = await firstEntryDay(tx, row)
  return first_entry_day === row.first_entry_day ? {} : { first_entry_day }
}

/** The first day before the chosen start that is done, or has an amount, and was entered since that was chosen; null without one. */
export async function firstEntryDay(tx: Transaction<Tables>, row: Row): Promise<Day | null> {
  const days = [await firstTick(tx, row), await firstAmount(tx, row)].filter((day) => day !== undefined)
  return days.toSorted()[0] ?? null
}

async function firstTick(tx: Transaction<Tables>, row: Row): Promise<Day | undefined> {
  const tick = await tx
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where(isDone)
    .where('day', '<', row.start_day)
    .where('changed_at', '>=', row.start_at)
    // Of a habit that an import made, its file says when it begins.
    .$if(madeBy(row) !== null, (query) =>
      query.where((eb) =>
        eb.or([
          eb('import_id', 'is', null),
          eb('import_id', '<>', madeBy(row)),
          eb('changed_at', '>', eb.ref('imported_at')),
        ]),
      ),
    )
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return tick?.day
}

async function firstAmount(tx: Transaction<Tables>, row: Row): Promise<Day | undefined> {
  const yieldPoint = createYieldPoint()
  for (let after: Day | undefined; ; ) {
    await yieldPoint()
    const entry: { day: Day } | undefined = await tx
      .selectFrom('amounts')
      .select('day')
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('deleted_at', 'is', null)
      .where('day', '<', row.start_day)
      .$if(after !== undefined, (query) => query.where('day', '>', after ?? row.start_day))
      .where((eb) => eb.or([eb('created_at', '>=', row.start_at), eb('imported_at', '>=', row.start_at)]))
      .$if(madeBy(row) !== null, (query) =>
        query.where((eb) => eb.or([eb('import_id', 'is', null), eb('import_id', '<>', madeBy(row))])),
      )
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
    if (!entry) return undefined
    if (await hasAmount(tx, row, entry.day)) return entry.day
    after = entry.day
  }
}

/** Whether anything is left of what was entered on a day: under a limit, nothing is an amount, too. */
async function hasAmount(tx: Transaction<Tables>, row: Row, day: Day): Promise<boolean> {
  const { target } = rhythmOn(await readRhythmsOf(tx, row), day)
  const amount = amountOf(await readEntriesOn(tx, row, day), [])
  return amount !== null && (amount > 0 || (target !== 'yes' && target.at === 'most'))
}

/** The import that made it; null if it was there before. */
function madeBy({ import_id, deleted_before_import }: Pick<Row, 'import_id' | 'deleted_before_import'>) {
  return deleted_before_import === null ? import_id : null
}
