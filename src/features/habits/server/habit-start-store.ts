import type { Selectable, Transaction } from 'kysely'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Tables } from '#platform/database/tables.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { amountOf } from '../amounts.ts'
import { isEntered } from '../habit-facts.ts'
import { spanOn, spansOf, type Target } from '../rhythm.ts'
import { isDone } from './done-days-store.ts'
import { entryOf, readSettles } from './entry-store.ts'
import { readRhythmsOf } from './habit-days-store.ts'

// When a habit begins: on the day that was chosen, or earlier where something was entered since that choice and still stands. What
// was entered before the choice stays as it is, and doesn't count. The first day of the former is kept in the habit's row.

type Row = Tables['habits']

/** What changes in a habit of which these days were changed, or all because its start or its targets were. The habit must be locked. */
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

/** Where the first entry may now be: nobody changed what is before the one that was known, and that stands unless it was changed. */
function rangeOf({ start_day, first_entry_day: known }: Row, changed: readonly Day[]): DayRange | undefined {
  const days = changed.filter((day) => day < start_day).toSorted()
  const [from, to = from] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined || (known !== null && known < from)) return undefined
  if (known === null) return { from, to }
  return { from, to: days.includes(known) ? addDays(start_day, -1) : known }
}

const firstOfAll = '0001-01-01' as Day

/** The first day that is done, or has an amount, and was entered since the start was chosen. */
async function firstEntryIn(tx: Transaction<Tables>, row: Row, range: DayRange): Promise<Day | undefined> {
  const spans = spansOf(await readRhythmsOf(tx, row))
  const targetOn = (day: Day) => spanOn(spans, dayNumber(day)).target
  const tick = await firstTick(tx, row, range, targetOn)
  const amount = await firstAmount(tx, row, tick === undefined ? range : { ...range, to: tick }, targetOn)
  return amount ?? tick
}

type TargetOn = (day: Day) => Target

/** So many are looked at together: other requests are served in between. */
const [ticksAtOnce, entriesAtOnce] = [500, 1_000]

/** Where there is a target, the entries of a day say whether it was done: a tick made one of them, which may be gone. */
async function firstTick(
  tx: Transaction<Tables>,
  row: Row,
  { from, to }: DayRange,
  targetOn: TargetOn,
): Promise<Day | undefined> {
  const yieldPoint = createYieldPoint()
  for (let next = from; ; ) {
    await yieldPoint()
    const ticks = await tx
      .selectFrom('completions')
      .select(['day', 'changed_at', 'import_id', 'imported_at', 'before_import'])
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where(isDone)
      .where('day', '>=', next)
      .where('day', '<=', to)
      .orderBy('day')
      .limit(ticksAtOnce)
      .execute()
    const first = ticks.find((tick) => isTickedSince(row, tick) && targetOn(tick.day) === 'yes')
    const last = ticks.at(-1)
    if (first || !last || ticks.length < ticksAtOnce) return first?.day
    next = addDays(last.day, 1)
  }
}

type Tick = Pick<
  Selectable<Tables['completions']>,
  'day' | 'changed_at' | 'import_id' | 'imported_at' | 'before_import'
>

/** Of a habit that an import made, its file says when it begins: none of what that brought moves it. */
function isTickedSince({ start_at, made_by_import }: Row, tick: Tick): boolean {
  if (tick.changed_at < start_at) return false
  const isBrought = made_by_import !== null && tick.import_id === made_by_import
  // The import may have brought a note alone.
  return !isBrought || tick.before_import === 'done' || tick.changed_at > (tick.imported_at ?? 0)
}

async function firstAmount(
  tx: Transaction<Tables>,
  row: Row,
  { from, to }: DayRange,
  targetOn: TargetOn,
): Promise<Day | undefined> {
  const yieldPoint = createYieldPoint()
  let begun: Entry[] = []
  for (let after: Pick<Entry, 'day' | 'id'> | undefined; ; ) {
    await yieldPoint()
    const entries: Entry[] = await tx
      .selectFrom('amounts')
      .select(['habit_id', 'id', 'day', 'value', 'is_set', 'created_at', 'import_id', 'imported_at'])
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('deleted_at', 'is', null)
      .where('day', '>=', after?.day ?? from)
      .where('day', '<=', to)
      .$if(after !== undefined, (query) =>
        query.where((eb) => eb(eb.refTuple('day', 'id'), '>', eb.tuple(after?.day ?? from, after?.id ?? ''))),
      )
      .orderBy('day')
      .orderBy('id')
      .limit(entriesAtOnce)
      .execute()
    const last = entries.at(-1)
    const isLast = !last || entries.length < entriesAtOnce
    const read = [...begun, ...entries]
    // The day that the page ends in goes on in the next one.
    const whole = isLast ? read : read.filter(({ day }) => day < last.day)
    begun = isLast ? [] : read.filter(({ day }) => day === last.day)
    const first = await firstWithAmount(tx, row, whole, targetOn)
    if (first || isLast) return first
    after = last
  }
}

type Entry = Pick<
  Selectable<Tables['amounts']>,
  'habit_id' | 'id' | 'day' | 'value' | 'is_set' | 'created_at' | 'import_id' | 'imported_at'
>

/** `entries`: of whole days, in their order. */
async function firstWithAmount(
  tx: Transaction<Tables>,
  row: Row,
  entries: readonly Entry[],
  targetOn: TargetOn,
): Promise<Day | undefined> {
  const byDay = Map.groupBy(entries, ({ day }) => day)
  const since = [...byDay].filter(([, ofDay]) => ofDay.some((entry) => isEnteredSince(row, entry)))
  const settles = await readSettles(
    tx,
    row.user_id,
    since.flatMap(([, ofDay]) => ofDay),
  )
  return since.find(([day, ofDay]) => {
    const amount = amountOf(ofDay.map((entry) => entryOf(entry, settles)))
    return isEntered(targetOn(day), amount)
  })?.[0]
}

function isEnteredSince({ start_at, made_by_import }: Row, entry: Entry): boolean {
  if (made_by_import !== null && entry.import_id === made_by_import) return false
  return entry.created_at >= start_at || (entry.imported_at ?? 0) >= start_at
}
