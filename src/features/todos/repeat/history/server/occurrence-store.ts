import type { Kysely, Transaction } from 'kysely'
import type { SettledDay } from '#features/todos/repeat/rule/occurrences.ts'
import {
  type Due,
  dueNow,
  type KeptEarlier,
  keptEarlier,
  nextOfSeries,
  type Occurrence,
} from '#features/todos/repeat/rule/repeat.ts'
import type { RepeatRule } from '#features/todos/repeat/rule/repeat-rule.ts'
import { lastOfSeriesUpTo } from '#features/todos/repeat/rule/series.ts'
import type { ExportedDay } from '#features/todos/todo/exported-todo.ts'
import {
  addDays,
  type Day,
  dayOf,
  daySchema,
  firstChoosable,
  type Instant,
  instantFromWire,
  instantToWire,
} from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { RowLimit } from '#platform/database/row-kind.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'

// The state of a to-do's occurrences, one row each (`docs/merging.md`, 19 to 21). Old occurrences are summed up in the to-do's
// row, so that listing to-dos does not read years of them. A write to an occurrence locks the to-do's row, and also renews the
// sum if the sum covers that day. So the sum is never stale, and readers write nothing.

type Row = Tables['todos']
export type DayRow = Tables['todo_days']

const occurrenceLimit: RowLimit = {
  table: 'todo_days',
  most: 500_000,
  many: 'settled occurrences of repeating tasks',
  room: 'Delete tasks that repeat; they make room 30 days later.',
}

/** How many of the latest days are never summed up: devices receive each of their occurrences. */
const daysNotSummed = 60
/**
 * Occurrences before a boundary day are summed up. A write moves the boundary forward once it is more than this many days old.
 */
const oldestBoundary = 150
/** The most settled or moved occurrences of one to-do that are not summed up. Every response with to-dos contains all of them. */
const mostAhead = 500

export interface Settlement {
  state: Occurrence['state']
  done_on: Day | null
}

/** Stores the state of an occurrence, unless it was changed later. */
export async function settleDay(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  day: Day,
  settlement: Settlement,
  at: Instant,
): Promise<void> {
  const [stored] = await storedDay(tx, { user: user_id, id, day })
  if (stored && !isLater({ ...settlement, changed_at: at }, stored)) {
    if (changedSince(stored.changed_at, at) && stored.state !== settlement.state) keepAsItIs('state')
    return
  }
  await store(tx, adding, stored, {
    ...(stored ?? unsettled(user_id, id, day)),
    ...settlement,
    changed_at: at,
  })
}

/** Moves an occurrence to another day, or back, unless it was moved later. */
export async function moveDay(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  day: Day,
  moved_to: Day | null,
  at: Instant,
): Promise<void> {
  const [stored] = await storedDay(tx, { user: user_id, id, day })
  if (stored && changedSince(stored.moved_at, at)) {
    if (stored.moved_to !== moved_to) keepAsItIs('due_day')
    return
  }
  await store(tx, adding, stored, { ...(stored ?? unsettled(user_id, id, day)), moved_to, moved_at: at })
}

const storedDay = compiledOnce<{ user: string; id: string; day: Day }>()((db, param) =>
  db
    .selectFrom('todo_days')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where('todo_id', '=', param('id'))
    .where('day', '=', param('day')),
)

async function store(tx: Transaction<Tables>, adding: Adding, stored: DayRow | undefined, row: DayRow) {
  const { user_id, todo_id, day, ...values } = row
  if (!stored) adding.rows(occurrenceLimit, 1)
  await tx
    .insertInto('todo_days')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'todo_id', 'day']).doUpdateSet(values))
    .execute()
  if (!stored) await refuseFarAhead(tx, row, Math.max(row.changed_at, row.moved_at))
  await countDone(tx, row, Number(row.state === 'done') - Number(stored?.state === 'done'))
}

/** Throws `TooManyRows` if the to-do now has more than `mostAhead` occurrences that are not summed up. */
async function refuseFarAhead(
  tx: Transaction<Tables>,
  { user_id, todo_id }: Pick<DayRow, 'user_id' | 'todo_id'>,
  at: Instant,
): Promise<void> {
  const [beyond] = await unsummedBeyond(tx, {
    user: user_id,
    id: todo_id,
    // UTC is precise enough here, because the boundary lies months ago.
    since: earlierThan(dayOf(at, 'UTC', 0), oldestBoundary),
    most: mostAhead,
  })
  if (!beyond) return
  throw new TooManyRows(
    `A task can have up to ${mostAhead} settled occurrences that are recent or ahead. Settle further ones later.`,
  )
}

const unsummedBeyond = compiledOnce<{ user: string; id: string; since: Day; most: number }>()((db, param) =>
  db
    .selectFrom('todo_days')
    .select('day')
    .where('user_id', '=', param('user'))
    .where('todo_id', '=', param('id'))
    .where('day', '>=', param('since'))
    .orderBy('day')
    .limit(1)
    .offset(param('most')),
)

/**
 * Adds `more` to the to-do's number of done occurrences. Call with the to-do's row locked. Changes neither other fields of the
 * row nor `updated_at`.
 */
async function countDone(
  tx: Transaction<Tables>,
  { user_id, todo_id }: Pick<DayRow, 'user_id' | 'todo_id'>,
  more: number,
): Promise<void> {
  if (more === 0) return
  await tx
    .updateTable('todos')
    .set(({ eb, ref }) => ({ times_done: eb(ref('times_done'), '+', more) }))
    .where('user_id', '=', user_id)
    .where('id', '=', todo_id)
    .execute()
}

function unsettled(user_id: string, todo_id: string, day: Day): DayRow {
  const nothing = { state: 'open', done_on: null, changed_at: 0, moved_to: null, moved_at: 0 } as const
  return { user_id, todo_id, day, ...nothing, import_id: null, imported_at: null }
}

/**
 * Whether the change `one` wins over `other`: the later change wins. At the same instant, 'done' wins over 'skipped' and
 * 'skipped' over 'open'; of two completions, the one on the later day wins.
 */
function isLater(
  one: Settlement & { changed_at: Instant },
  other: Settlement & { changed_at: Instant },
): boolean {
  if (one.changed_at !== other.changed_at) return one.changed_at > other.changed_at
  const rank = { open: 0, skipped: 1, done: 2 }
  if (one.state !== other.state) return rank[one.state] > rank[other.state]
  return (one.done_on ?? '') > (other.done_on ?? '')
}

/**
 * Milliseconds within which two changes may be the same change. A device may know the server's time only to the second, so its
 * change may seem to come from the future. Such a change counts as made on arrival; a retry, which arrives later, counts as made
 * at its own instant.
 */
const clockPrecision = 1_000

/**
 * What was due at the instant `at`, on the person's day `today` at that time. Ignores changes made later, so that a retry finds
 * the same occurrence.
 */
export async function dueAt(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  rule: RepeatRule,
  { at, today }: { at: Instant; today: Day },
): Promise<OpenAndNext> {
  const rows = await daysOf(tx, user_id, id, { from: firstThatDecides(rule, today) })
  return dueNow(rule, { occurrences: rows.map((row) => asOf(row, at)) }, today)
}

/** The part of `Due` that does not depend on earlier missed occurrences. */
type OpenAndNext = Pick<Due, 'open' | 'next'>

/**
 * The first day to read in order to know what is due; undefined to read all. In mode 'due', what is due does not depend on
 * earlier occurrences. In mode 'done', each day follows from the one before.
 */
function firstThatDecides(rule: RepeatRule, today: Day): Day | undefined {
  return rule.mode === 'due' ? (lastOfSeriesUpTo(rule, today) ?? rule.from) : undefined
}

/**
 * The day of the next occurrence, if a move would reach or pass it and is therefore refused. Undefined if the move is allowed, or
 * has no effect any more.
 */
export async function movedPastAt(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  rule: RepeatRule,
  { day, moved_to, at }: { day: Day; moved_to: Day; at: Instant },
): Promise<Day | undefined> {
  const rows = await daysOf(tx, user_id, id, { from: day })
  const stored = rows.find((row) => row.day === day)
  const isSentAgain = stored?.moved_at === at && stored.moved_to === moved_to
  if (stored && (isSentAgain || stored.moved_at > at)) return undefined
  const next = nextOfSeries(
    rule,
    rows.map((row) => asOf(row, at)),
    day,
  )
  return next !== undefined && moved_to >= next ? next : undefined
}

/**
 * The occurrence that was moved to `due_day` within the second before `at`. If there is one, the current change may be a retry.
 */
export async function movedBefore(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  due_day: Day | null,
  at: Instant,
): Promise<Day | undefined> {
  const rows = await tx
    .selectFrom('todo_days')
    .select(['day', 'moved_to'])
    .where('user_id', '=', user_id)
    .where('todo_id', '=', id)
    .where('moved_at', '<=', at)
    .where('moved_at', '>', at - clockPrecision)
    .orderBy('day')
    .execute()
  return rows.find(({ day, moved_to }) => moved_to === (due_day === day ? null : due_day))?.day
}

/**
 * What was due when a to-do was completed at `at`. An occurrence done within the second before still counts as open, because this
 * may be a retry of the same completion.
 */
export async function dueForCompletion(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  rule: RepeatRule,
  { at, today }: { at: Instant; today: Day },
): Promise<OpenAndNext> {
  const rows = await daysOf(tx, user_id, id, { from: firstThatDecides(rule, today) })
  const occurrences = rows.map((row) => {
    const mayBeSame = row.state === 'done' && row.done_on === today && row.changed_at > at - clockPrecision
    return asOf(mayBeSame ? { ...row, state: 'open' } : row, at)
  })
  return dueNow(rule, { occurrences }, today)
}

/** Whether any occurrence was done on the person's day `day`. */
export async function isDoneOn(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  day: Day,
): Promise<boolean> {
  const [done] = await doneOn(tx, { user: user_id, id, day })
  return done !== undefined
}

const doneOn = compiledOnce<{ user: string; id: string; day: Day }>()((db, param) =>
  db
    .selectFrom('todo_days')
    .select('day')
    .where('user_id', '=', param('user'))
    .where('todo_id', '=', param('id'))
    .where('done_on', '=', param('day'))
    .where('state', '=', 'done')
    .limit(1),
)

function asOf({ day, ...row }: DayRow, at: Instant): Occurrence {
  const isSettled = !changedSince(row.changed_at, at - 1)
  return {
    day,
    state: isSettled ? row.state : 'open',
    done_on: isSettled ? row.done_on : null,
    moved_to: changedSince(row.moved_at, at - 1) ? null : row.moved_to,
  }
}

/**
 * The occurrence that was settled last before `at`, if that was on the person's day `day`. But if an occurrence was reopened
 * within the last second and none was settled since, returns that occurrence: this may be a retry.
 */
export async function lastSettled(
  tx: Transaction<Tables>,
  { user_id, id }: Pick<Row, 'user_id' | 'id'>,
  { at, day }: { at: Instant; day: Day | undefined },
): Promise<Day | undefined> {
  const rows = tx
    .selectFrom('todo_days')
    .select(['day', 'changed_at', 'done_on'])
    .where('user_id', '=', user_id)
    .where('todo_id', '=', id)
    .orderBy('changed_at', 'desc')
    .orderBy('day', 'desc')
    .limit(1)
  const newest = await rows.executeTakeFirst()
  if (newest) changedSince(newest.changed_at, at)
  const last = await rows.where('changed_at', '<', at).where('state', '<>', 'open').executeTakeFirst()
  const reopened = await rows.where('changed_at', '<=', at).where('state', '=', 'open').executeTakeFirst()
  if (reopened && reopened.changed_at > Math.max(last?.changed_at ?? 0, at - clockPrecision)) {
    return reopened.day
  }
  return last && (day === undefined || last.done_on === day) ? last.day : undefined
}

/** Rows per read: few enough that other requests hardly wait. */
const readAtOnce = 500

interface DaysToRead {
  from?: Day | undefined
  before?: Day | undefined
}

/** The stored occurrences of a to-do in order: all, or those from a day on, or before a day. */
async function daysOf(
  db: Kysely<Tables>,
  user: string,
  id: string,
  wanted: DaysToRead = {},
): Promise<DayRow[]> {
  const days: DayRow[] = []
  const yieldPoint = createYieldPoint()
  for await (const some of pagesOfDays(db, user, id, wanted)) {
    days.push(...some)
    await yieldPoint()
  }
  return days
}

/** Like `daysOf`, one page at a time. */
export function pagesOfDays(
  db: Kysely<Tables>,
  user: string,
  id: string,
  { from = daySchema.parse(firstChoosable), before }: DaysToRead = {},
): AsyncGenerator<DayRow[]> {
  return pagesByKey(readAtOnce, (last?: { day: Day }) =>
    db
      .selectFrom('todo_days')
      .selectAll()
      .where('user_id', '=', user)
      .where('todo_id', '=', id)
      .where('day', '>=', last ? addDays(last.day, 1) : from)
      .$if(before !== undefined, (query) => query.where('day', '<', before ?? from))
      .orderBy('day')
      .limit(readAtOnce)
      .execute(),
  )
}

type Sum = Pick<Row, 'earlier' | 'earlier_before'>

/** The columns of a to-do's row if no occurrences are summed up. */
export const noSum: Sum = { earlier: null, earlier_before: null }

/**
 * The columns for the sum of old occurrences that change after an occurrence was written. `day`: the written occurrence;
 * undefined if the rule was changed and everything is summed up again.
 */
export async function sumUp(
  tx: Transaction<Tables>,
  row: Row,
  rule: RepeatRule,
  { day, today }: { day: Day | undefined; today: Day },
): Promise<Partial<Sum>> {
  const stored = keptOf(row)
  const kept = stored && day !== undefined && day >= stored.before ? stored : undefined
  if (kept && kept.before >= addDays(today, -oldestBoundary)) return {}
  const edge = earlierThan(today, daysNotSummed)
  // A change that arrives late does not move the boundary back.
  const before = stored && stored.before > edge ? stored.before : edge
  const rows = await daysOf(tx, row.user_id, row.id, { from: kept?.before ?? rule.from, before })
  const sum = keptEarlier(rule, { occurrences: rows.map(toSettledDay), earlier: kept }, before)
  return { earlier: JSON.stringify(sum), earlier_before: before }
}

function earlierThan(day: Day, days: number): Day {
  const ago = addDays(day, -days)
  return ago > firstChoosable ? ago : daySchema.parse(firstChoosable)
}

interface KeptSum extends KeptEarlier {
  last: SettledDay | null
}

/**
 * The stored sum of old occurrences. Undefined if there is none, or if a newer version stored it in another format; the sum is
 * then computed again.
 */
export function keptOf({ earlier }: Pick<Row, 'earlier'>): KeptSum | undefined {
  if (earlier === null) return undefined
  const sum: unknown = JSON.parse(earlier)
  return isKeptSum(sum) ? sum : undefined
}

/**
 * Does not use a schema, for speed: every response with to-dos checks the sum of each repeating to-do, which holds up to a year
 * of days.
 */
function isKeptSum(sum: unknown): sum is KeptSum {
  const { before, done, settled, last } = Object(sum)
  return (
    typeof before === 'string' &&
    typeof done === 'number' &&
    Array.isArray(settled) &&
    typeof last === 'object'
  )
}

export function toSettledDay({
  day,
  state,
  done_on,
  moved_to,
  changed_at,
}: Pick<DayRow, 'day' | 'state' | 'done_on' | 'moved_to' | 'changed_at'>): SettledDay {
  return { day, state, done_on, moved_to, at: instantToWire(changed_at) }
}

/**
 * Adds occurrences from a file, dated `now` at the latest. Skips occurrences that have a row already. Returns how many were
 * added.
 */
export async function addImportedDays(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id }: Row,
  days: readonly ExportedDay[],
  now: Instant,
  importId: string | null,
): Promise<number> {
  const rows = days.map(({ day, state, done_on, moved_to, at }) => {
    const instant = Math.min(instantFromWire(at), now)
    return {
      ...unsettled(user_id, id, day),
      // An open occurrence is in a file because it was either moved or reopened. Without a move, it was reopened.
      ...((state !== 'open' || moved_to === null) && { state, done_on, changed_at: instant }),
      ...(moved_to !== null && { moved_to, moved_at: instant }),
      import_id: importId,
      imported_at: importId === null ? null : now,
    }
  })
  const added = await tx
    .insertInto('todo_days')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['user_id', 'todo_id', 'day']).doNothing())
    .returning('state')
    .execute()
  adding.rows(occurrenceLimit, added.length)
  await refuseFarAhead(tx, { user_id, todo_id: id }, now)
  await countDone(tx, { user_id, todo_id: id }, added.filter(({ state }) => state === 'done').length)
  return added.length
}

/**
 * The to-dos that got occurrences from an import. Seeks one to-do at a time, because each may have tens of thousands of
 * occurrences.
 */
export async function todosWithDaysOf(db: Kysely<Tables>, user: string, importId: string): Promise<string[]> {
  const todos: string[] = []
  const read = (last?: { todo_id: string }) =>
    db
      .selectFrom('todo_days')
      .select('todo_id')
      .where('user_id', '=', user)
      .where('import_id', '=', importId)
      .where('todo_id', '>', last?.todo_id ?? '')
      .orderBy('todo_id')
      .limit(1)
      .execute()
  for await (const [next] of pagesByKey(1, read)) {
    if (next) todos.push(next.todo_id)
    await betweenStretches()
  }
  return todos
}

/**
 * How many occurrences one write removes when an import is undone. Each write sums up the whole to-do again, so many small writes
 * would be slow.
 */
const takenBackAtOnce = 2_000

/**
 * Undoes an import for one batch of a to-do's occurrences, those after the day `after`. Occurrences that were changed since the
 * import stay. Returns how many stay (`kept`), and the day to continue after (`next`), undefined at the end.
 */
export async function takeBackSomeDays(
  tx: Transaction<Tables>,
  { user_id, id }: Row,
  importId: string,
  after: Day,
): Promise<{ kept: number; next: Day | undefined }> {
  const rows = await tx
    .selectFrom('todo_days')
    .select(['day', 'state', 'changed_at', 'moved_at', 'imported_at'])
    .where('user_id', '=', user_id)
    .where('todo_id', '=', id)
    .where('import_id', '=', importId)
    .where('day', '>', after)
    .orderBy('day')
    .limit(takenBackAtOnce)
    .execute()
  const unchanged = rows.filter(
    ({ changed_at, moved_at, imported_at }) => Math.max(changed_at, moved_at) <= (imported_at ?? 0),
  )
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(unchanged.map(({ day }) => day))) {
    await yieldPoint()
    await tx
      .deleteFrom('todo_days')
      .where('user_id', '=', user_id)
      .where('todo_id', '=', id)
      .where('day', 'in', batch)
      .execute()
  }
  await countDone(tx, { user_id, todo_id: id }, -unchanged.filter(({ state }) => state === 'done').length)
  const next = rows.length < takenBackAtOnce ? undefined : rows.at(-1)?.day
  return { kept: rows.length - unchanged.length, next }
}

/** The columns of a to-do's row that change after occurrences were imported or taken back. */
export async function summedAnew(
  tx: Transaction<Tables>,
  row: Row,
  rule: RepeatRule | undefined,
  now: Instant,
): Promise<Partial<Sum>> {
  // UTC is precise enough here, because the boundary lies months ago.
  return rule ? sumUp(tx, row, rule, { day: undefined, today: dayOf(now, 'UTC', 0) }) : noSum
}
