import type { ExpressionBuilder, SelectQueryBuilder, Transaction } from 'kysely'
import { amountOf } from '#features/habits/amounts/amounts.ts'
import { entryOf, readSettles } from '#features/habits/amounts/server/entry-store.ts'
import { isEntered, spanOn, spansOf, type Target } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf } from '#features/habits/rhythm/server/rhythm-store.ts'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { stretchesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { countWalked } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { isDone } from './habit-days-store.ts'

// A habit begins on its chosen start, or on an earlier day with an entry that was made after the person chose the start. Entries
// that were made before this choice are kept, but don't count. The habit's row stores the first earlier day that counts.

type Row = Tables['habits']

/**
 * The change to the row of a habit after `days` changed. Pass 'all' after the habit's start or targets changed. The habit must be
 * locked.
 */
export async function withFirstEntry(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[] | 'all',
): Promise<Partial<Row>> {
  const beforeStart = { from: firstOfAll, to: addDays(row.start_day, -1) }
  const range = days === 'all' ? beforeStart : rangeOf(row, days)
  if (!range) return {}
  const first_entry_day = (await firstEntryIn(tx, row, range)) ?? null
  return first_entry_day === row.first_entry_day ? {} : { first_entry_day }
}

/**
 * The days among which the first entry must be looked for again; undefined if it stays as it is. Days after the known first entry
 * matter only if the day of that entry changed.
 */
function rangeOf({ start_day, first_entry_day: known }: Row, changed: readonly Day[]): DayRange | undefined {
  const days = changed.filter((day) => day < start_day).toSorted()
  const [from, to = from] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined || (known !== null && known < from)) return undefined
  if (known === null) return { from, to }
  return { from, to: days.includes(known) ? addDays(start_day, -1) : known }
}

const firstOfAll = '0001-01-01' as Day

/** The first day in the range that is done or has an amount, counting only entries made after the start was chosen. */
async function firstEntryIn(tx: Transaction<Tables>, row: Row, range: DayRange): Promise<Day | undefined> {
  const spans = spansOf(await readRhythmsOf(tx, row))
  const targetOn = (day: Day) => spanOn(spans, dayNumber(day)).target
  const tick = await firstTick(tx, row, range, targetOn)
  const amount = await firstAmount(tx, row, tick === undefined ? range : { ...range, to: tick }, targetOn)
  return amount ?? tick
}

type TargetOn = (day: Day) => Target

/**
 * The first day that counts as done by its tick. If the target is an amount, a tick made an entry, which may be deleted by now,
 * so only the entries count.
 */
async function firstTick(
  tx: Transaction<Tables>,
  row: Row,
  range: DayRange,
  targetOn: TargetOn,
): Promise<Day | undefined> {
  const daysIn = ({ from, to }: DayRange) =>
    tx
      .selectFrom('completions')
      .select('day')
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day')
  for await (const days of stretchesOf(range, daysIn)) {
    const ticks = await daysIn(days).where(isDone).where(isTickedSince(row)).execute()
    const first = ticks.find(({ day }) => targetOn(day) === 'yes')
    if (first) return first.day
  }
  return undefined
}

/** For a habit that an import made, the file says when it begins, so days from that import don't move the start. */
function isTickedSince({ start_at, made_by_import }: Row) {
  return (eb: ExpressionBuilder<Tables, 'completions'>) => {
    const isSince = eb('changed_at', '>=', start_at)
    if (made_by_import === null) return isSince
    return eb.and([
      isSince,
      eb.or([
        eb(eb.fn.coalesce('import_id', eb.val('')), '<>', made_by_import),
        // The import may have brought only a note for this day.
        eb('before_import', '=', 'done'),
        eb('changed_at', '>', eb.fn.coalesce('imported_at', eb.val(0))),
      ]),
    ])
  }
}

async function firstAmount(
  tx: Transaction<Tables>,
  row: Row,
  range: DayRange,
  targetOn: TargetOn,
): Promise<Day | undefined> {
  const daysIn = ({ from, to }: DayRange) =>
    tx
      .selectFrom('amounts')
      .select('day')
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day')
  const yieldPoint = createYieldPoint()
  for await (const days of stretchesOf(range, daysIn)) {
    const since = await daysIn(days)
      .distinct()
      .where('deleted_at', 'is', null)
      .where(isEnteredSince(row))
      .execute()
    for (const some of inBatches(since.map(({ day }) => day))) {
      await yieldPoint()
      const first = await firstWithAmount(tx, row, some, targetOn)
      if (first) return first
    }
  }
  return undefined
}

function isEnteredSince({ start_at, made_by_import }: Row) {
  return (eb: ExpressionBuilder<Tables, 'amounts'>) => {
    const isSince = eb.or([eb('created_at', '>=', start_at), eb('imported_at', '>=', start_at)])
    if (made_by_import === null) return isSince
    return eb.and([isSince, eb(eb.fn.coalesce('import_id', eb.val('')), '<>', made_by_import)])
  }
}

/** `days` must be in order. */
async function firstWithAmount(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[],
  targetOn: TargetOn,
): Promise<Day | undefined> {
  const entries = await tx
    .selectFrom('amounts')
    .select(['habit_id', 'id', 'day', 'value', 'is_set', 'created_at'])
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', 'in', days)
    .where('deleted_at', 'is', null)
    .execute()
  const settles = await readSettles(tx, row.user_id, entries)
  const byDay = Map.groupBy(entries, ({ day }) => day)
  return days.find((day) => {
    const amount = amountOf((byDay.get(day) ?? []).map((entry) => entryOf(entry, settles)))
    return isEntered(targetOn(day), amount)
  })
}

/**
 * Rows that the database walks over at once, including deleted ones; other requests are served in between. Only relevant rows are
 * returned, because this write holds up all other writes.
 */
const rowsAtOnce = 2_000

/** Splits a range into parts with few rows. `daysIn` selects the days of the rows in a part, in order. */
async function* stretchesOf<Table extends keyof Tables>(
  { from, to }: DayRange,
  daysIn: (part: DayRange) => SelectQueryBuilder<Tables, Table, { day: Day }>,
): AsyncGenerator<DayRange> {
  if (from > to) return
  const endAfter = async (after?: { day: Day }) => {
    const end = await daysIn({ from: after ? addDays(after.day, 1) : from, to })
      .limit(1)
      .offset(rowsAtOnce - 1)
      .executeTakeFirst()
    return end && end.day < to ? end : undefined
  }
  for await (const { after, end } of stretchesByKey(endAfter, createYieldPoint())) {
    if (end) countWalked(2 * rowsAtOnce)
    yield { from: after ? addDays(after.day, 1) : from, to: end?.day ?? to }
  }
}
