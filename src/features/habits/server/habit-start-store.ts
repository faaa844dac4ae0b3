import type { Transaction } from 'kysely'
import { type Day, dayNumber } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { amountOf } from '../amounts.ts'
import { isEntered } from '../habit-facts.ts'
import { spanOn, spansOf, type Target } from '../rhythm.ts'
import { isDone } from './done-days-store.ts'
import { readEntriesOn, readRhythmsOf } from './habit-days-store.ts'

// When a habit begins: on the day that was chosen, or earlier where something was entered since that choice and still stands. What
// was entered before the choice stays as it is, and doesn't count. The first day of the former is kept in the habit's row.

type Row = Tables['habits']

/** What changes in a habit of which these days were changed, or all because its start or its targets were. The habit must be locked. */
export async function withFirstEntry(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[] | 'all',
): Promise<Partial<Row>> {
  if (days !== 'all' && days.every((day) => day >= row.start_day)) return {}
  const first_entry_day = await firstEntryDay(tx, row)
  return first_entry_day === row.first_entry_day ? {} : { first_entry_day }
}

/** The first day before the chosen start that is done, or has an amount, and was entered since that was chosen; null without one. */
async function firstEntryDay(tx: Transaction<Tables>, row: Row): Promise<Day | null> {
  const spans = spansOf(await readRhythmsOf(tx, row))
  const targetOn = (day: Day) => spanOn(spans, dayNumber(day)).target
  const days = [await firstTick(tx, row, targetOn), await firstAmount(tx, row, targetOn)]
  return days.filter((day) => day !== undefined).toSorted()[0] ?? null
}

type TargetOn = (day: Day) => Target

/** So many ticks, and days with amounts, are looked at together: other requests are served in between. */
const [ticksAtOnce, daysAtOnce] = [500, 50]

const beforeAll = '0001-01-01' as Day

/** Where there is a target, the entries of a day say whether it was done: a tick made one of them, which may be gone. */
async function firstTick(tx: Transaction<Tables>, row: Row, targetOn: TargetOn): Promise<Day | undefined> {
  const yieldPoint = createYieldPoint()
  for (let after = beforeAll; ; ) {
    await yieldPoint()
    const ticks = await tx
      .selectFrom('completions')
      .select('day')
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where(isDone)
      .where('day', '>', after)
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
      .limit(ticksAtOnce)
      .execute()
    const first = ticks.find(({ day }) => targetOn(day) === 'yes')
    const last = ticks.at(-1)
    if (first || !last || ticks.length < ticksAtOnce) return first?.day
    after = last.day
  }
}

async function firstAmount(tx: Transaction<Tables>, row: Row, targetOn: TargetOn): Promise<Day | undefined> {
  const yieldPoint = createYieldPoint()
  for (let after = beforeAll; ; ) {
    await yieldPoint()
    const entered = await tx
      .selectFrom('amounts')
      .select('day')
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('deleted_at', 'is', null)
      .where('day', '>', after)
      .where('day', '<', row.start_day)
      .where((eb) => eb.or([eb('created_at', '>=', row.start_at), eb('imported_at', '>=', row.start_at)]))
      .$if(madeBy(row) !== null, (query) =>
        query.where((eb) => eb.or([eb('import_id', 'is', null), eb('import_id', '<>', madeBy(row))])),
      )
      .groupBy('day')
      .orderBy('day')
      .limit(daysAtOnce)
      .execute()
    const days = entered.map(({ day }) => day)
    const entries = await readEntriesOn(tx, row, days)
    const first = days.find((day) => isEntered(targetOn(day), amountOf(entries.get(day) ?? [])))
    const last = days.at(-1)
    if (first || !last || days.length < daysAtOnce) return first
    after = last
  }
}

/** The import that made it; null if it was there before. */
function madeBy({ import_id, deleted_before_import }: Pick<Row, 'import_id' | 'deleted_before_import'>) {
  return deleted_before_import === null ? import_id : null
}
