import type { Kysely, Selectable, Transaction } from 'kysely'
import { amountOf, type FocusedSession, focusedMinutes } from '#features/habits/amounts/amounts.ts'
import { entryOf, readSettles } from '#features/habits/amounts/server/entry-store.ts'
import { addDays, type Day, dayNumber, yearOf } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { betweenStretches, countDays } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { revisionOf } from '#platform/database/revision.ts'
import type { Tables } from '#platform/database/tables.ts'
import { firstDayOf, lastDayOf, type PackedDays, packYear, unpackYear } from '../packed-year.ts'
import { readFewSessions, readSessions } from './focused-session-store.ts'
import { isDone, isSkipped } from './habit-days-store.ts'

// Whole years of a habit's days, packed. A year without a packed text is read day by day; this costs nothing if the year has no
// days. A packed year is always correct: a write that changes one of its days deletes it.
//
// On SQLite, other writes wait while a write reads. So data that is too much for one write is read before it. The write then
// stores its result only if nothing was written in between.

/** How many days and entries a write may still read for sums before it lets other writes run. */
export interface ReadBudget {
  left: number
  readonly ahead: ReadAhead
  /** Set if these years are too much for any write, so that they must be read ahead. */
  crowded?: YearsOfHabit
  /** Set if a sum was made from days that may have changed since they were read. The sum is then shown, but not stored. */
  isOutdated?: boolean
}

interface YearsOfHabit {
  habit: Pick<Tables['habits'], 'user_id' | 'id'>
  years: readonly number[]
}

/** Years that were read before a write, by habit. Each has the revision of the user's data at that time. */
export type ReadAhead = Map<string, Map<number, YearAhead>>

interface YearAhead {
  days: PackedDays
  revision: string | undefined
}

/** The days and entries that one write may read, which takes a few milliseconds. */
const mostOfOneWrite = 5_000

/** The budget of a write that has just begun. */
export function readBudgetOfOneWrite(ahead: ReadAhead = new Map()): ReadBudget {
  return { left: mostOfOneWrite, ahead }
}

/**
 * A write with this much of its budget left has read hardly anything. Years that are too much for such a write are too much for
 * any write.
 */
const nearlyAll = 4_000

type Row = Selectable<Tables['habits']>

/**
 * The least number of rows that a write may read: more than a year has days. So every write packs at least one year, even if that
 * exceeds the rest of the budget.
 */
const leastRead = 367
/** The minimum cost of reading the years of a habit, in days. */
const leastCost = 300

/**
 * All days from `start` until before `boundary`, in order. Packs every whole year that is not packed yet. Undefined if the budget
 * was not enough: the years read so far are then packed, and the next write continues. The habit must be locked.
 */
export async function packedDays(
  tx: Transaction<Tables>,
  row: Row,
  { start, boundary }: { start: Day; boundary: Day },
  budget: ReadBudget,
): Promise<PackedDays | undefined> {
  const isFresh = budget.left >= nearlyAll
  budget.left -= leastCost
  const stored = await tx
    .selectFrom('habit_years')
    .select(['year', 'days'])
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .execute()
  const packed = new Map(stored.map(({ year, days }) => [year, days]))
  // The boundary may have moved back past New Year. Changes to days after the boundary don't delete packed years, so delete such
  // years here.
  const open = yearOf(boundary)
  await deletePackedYears(
    tx,
    row,
    [...packed.keys()].filter((year) => year >= open),
  )

  const ahead = budget.ahead.get(row.id)
  const revision = ahead && (await revisionOf(tx, row.user_id))
  let sessions: Sessions
  let hasStored = false
  /**
   * Returns the days of as many whole years as the budget allows, the year after the last of them, and whether the years may be
   * stored.
   */
  async function read({
    first,
    last,
  }: Years): Promise<{ years: DaysOfYears; end: number; mayStore: boolean }> {
    const known = ahead?.get(first)
    if (known) {
      const mayStore = known.revision === revision
      if (!mayStore) budget.isOutdated = true
      return { years: new Map([[first, known.days]]), end: first + 1, mayStore }
    }
    if (!sessions) {
      sessions = await readFewSessions(tx, row, mostOfOneWrite)
      budget.left -= sessions ? 2 * sessions.length : mostOfOneWrite
    }
    if (!sessions || budget.left <= 0) return { years: new Map(), end: first, mayStore: false }
    const range = { from: firstDayOf(first), to: lastDayOf(last) }
    const { days, wholeUntil, rows } = await readDays(tx, row, range, {
      sessions,
      most: Math.max(budget.left, leastRead),
    })
    budget.left -= rows
    const end = wholeUntil === undefined ? last + 1 : yearOf(wholeUntil)
    return { years: byYear(days, { first, last }), end, mayStore: true }
  }
  /**
   * The next write starts with a whole budget and the years packed so far. If this write packed no new year, the next would fail
   * in the same way, so the years must be read ahead.
   */
  function notEnough(from: number): undefined {
    if (!isFresh || hasStored) return
    const years = Array.from({ length: open - from + 1 }, (_, place) => from + place)
    budget.crowded = { habit: row, years: years.filter((year) => !packed.has(year) && !ahead?.has(year)) }
  }

  const parts: PackedDays[] = []
  for (let year = yearOf(start); year < open; ) {
    const packedYear = packed.get(year)
    if (packedYear !== undefined) {
      const unpacked = unpackYear(year, packedYear)
      countDays(sizeOf(unpacked))
      parts.push(unpacked)
      year += 1
      continue
    }
    let next = year + 1
    if (!ahead?.has(year)) while (next < open && !packed.has(next) && !ahead?.has(next)) next += 1
    const { years, end, mayStore } = await read({ first: year, last: next - 1 })
    if (mayStore) hasStored = (await storeYears(tx, row, { first: year, last: end - 1 }, years)) || hasStored
    if (end < next) return notEnough(year)
    for (; year < next; year += 1) parts.push(years.get(year) ?? noDays)
  }
  const { years, end } = await read({ first: open, last: open })
  if (end === open) return notEnough(open)
  const until = dayNumber(boundary)
  parts.push(daysThat((day) => day < until, years.get(open) ?? noDays))
  return joined(parts)
}

type DaysOfYears = ReadonlyMap<number, PackedDays>

/** Call it when days of these years change. */
export async function deletePackedYears(
  tx: Transaction<Tables>,
  row: Row,
  years: readonly number[],
): Promise<void> {
  if (years.length === 0) return
  await tx
    .deleteFrom('habit_years')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('year', 'in', years)
    .execute()
}

/** Lets other requests run between two writes that sum up. If a year was too much for a write, reads it before the next write. */
export async function betweenSums(db: Database, { crowded, ahead }: ReadBudget): Promise<void> {
  await betweenStretches()
  if (!crowded) return
  const { habit, years } = crowded
  const ofHabit = ahead.get(habit.id) ?? new Map<number, YearAhead>()
  // Habits are handled one after another, so the years of the habit before are no longer needed.
  ahead.clear()
  ahead.set(habit.id, ofHabit)
  const sessions = await readFewSessions(db.read, habit, mostOfOneWrite)
  for (const year of years) {
    const revision = await revisionOf(db.read, habit.user_id)
    const parts = await readInParts(db.read, habit, { from: firstDayOf(year), to: lastDayOf(year) }, sessions)
    ofHabit.set(year, { days: joined(parts), revision })
    // A year of several parts is stored before the next one is read, since somebody may write in the meantime.
    if (parts.length > 1) return
  }
}

/** Reads a range in parts, so that other requests are served in between and little is in memory at once. */
async function readInParts(
  db: Kysely<Tables>,
  habit: YearsOfHabit['habit'],
  range: DayRange,
  sessions: Sessions,
): Promise<PackedDays[]> {
  const parts: PackedDays[] = []
  let length = dayNumber(range.to) - dayNumber(range.from) + 1
  for (let from = range.from; from <= range.to; ) {
    await betweenStretches()
    const end = addDays(from, length - 1)
    const part = { from, to: end < range.to ? end : range.to }
    const most = length === 1 ? undefined : mostOfOneWrite
    const { days, wholeUntil = addDays(part.to, 1) } = await readDays(db, habit, part, { sessions, most })
    if (wholeUntil === from) length = Math.ceil(length / 2)
    else parts.push(daysThat((day) => day < dayNumber(wholeUntil), days))
    from = wholeUntil
  }
  return parts
}

interface Years {
  first: number
  last: number
}

/** Stores the years that have days. Returns whether there were any. */
async function storeYears(
  tx: Transaction<Tables>,
  row: Row,
  { first, last }: Years,
  read: DaysOfYears,
): Promise<boolean> {
  const rows = []
  const yieldPoint = createYieldPoint()
  for (let year = first; year <= last; year += 1) {
    const days = read.get(year)
    if (!days || sizeOf(days) === 0) continue
    await yieldPoint()
    rows.push({ user_id: row.user_id, habit_id: row.id, year, days: packYear(year, days) })
  }
  for (const batch of inBatches(rows)) await tx.insertInto('habit_years').values(batch).execute()
  return rows.length > 0
}

const noDays: PackedDays = { done: [], skipped: [], amounts: [], focused: [] }

/** All sessions of a habit; undefined if there are so many that they are read for each range separately. */
type Sessions = readonly FocusedSession[] | undefined

/** Reads the days of a range, at most `most` rows of each kind. `wholeUntil` is the first day that may be incomplete. */
async function readDays(
  db: Kysely<Tables>,
  habit: YearsOfHabit['habit'],
  range: DayRange,
  { sessions, most }: { sessions: Sessions; most: number | undefined },
): Promise<{ days: PackedDays; wholeUntil: Day | undefined; rows: number }> {
  const completions = (which: typeof isDone) =>
    db
      .selectFrom('completions')
      .select('day')
      .where('user_id', '=', habit.user_id)
      .where('habit_id', '=', habit.id)
      .where(which)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .orderBy('day')
      .$if(most !== undefined, (query) => query.limit(most ?? 0))
      .execute()
  const done = await completions(isDone)
  const skipped = await completions(isSkipped)
  const yieldPoint = createYieldPoint()
  const entries = await readEntries(db, habit, range, { most, yieldPoint })
  const focusedOn = await sessionsByDay(db, habit, range, { sessions, most })
  if (!focusedOn) return { days: noDays, wholeUntil: range.from, rows: entries.length + (most ?? 0) }
  const numbered = ({ day }: { day: Day }) => dayNumber(day)
  const settles = await readSettles(db, habit.user_id, entries)
  const entered = entries.map((entry) => entryOf(entry, settles))
  const entriesOn = Map.groupBy(entered, ({ day }) => day)
  const amounts: [day: number, amount: number][] = []
  for (const [day, ofDay] of entriesOn) {
    await yieldPoint()
    const amount = amountOf(ofDay)
    if (amount !== null) amounts.push([dayNumber(day), amount])
  }
  const focused: [day: number, amount: number][] = []
  for (const [day, ofDay] of focusedOn) {
    await yieldPoint()
    const amount = focusedMinutes(entriesOn.get(day) ?? [], ofDay)
    if (amount !== null) focused.push([dayNumber(day), amount])
  }
  focused.sort(([one], [other]) => one - other)
  const lastRead = [done, skipped, entries].flatMap((rows) => {
    const day = rows.length === most ? rows.at(-1)?.day : undefined
    return day === undefined ? [] : [day]
  })
  return {
    days: { done: done.map(numbered), skipped: skipped.map(numbered), amounts, focused },
    wholeUntil: lastRead.toSorted()[0],
    rows: done.length + skipped.length + entries.length,
  }
}

/** The sessions of a habit in a range, by day; undefined if the account has more than `most` sessions in that range. */
async function sessionsByDay(
  db: Kysely<Tables>,
  { user_id, id }: YearsOfHabit['habit'],
  { from, to }: DayRange,
  { sessions, most }: { sessions: Sessions; most: number | undefined },
): Promise<Map<Day, FocusedSession[]> | undefined> {
  const all = sessions ? undefined : await readSessions(db, user_id, { from, to }, most)
  const ofHabit = sessions?.filter(({ day }) => day >= from && day <= to) ?? all?.get(id) ?? []
  return sessions || all ? Map.groupBy(ofHabit, ({ day }) => day) : undefined
}

/** Entries per query; a year may have a hundred times as many. */
const entriesAtOnce = 2_000

/** The entries of a range ordered by day, at most `most`. */
async function readEntries(
  db: Kysely<Tables>,
  { user_id, id }: YearsOfHabit['habit'],
  { from, to }: DayRange,
  {
    most = Number.POSITIVE_INFINITY,
    yieldPoint,
  }: { most?: number | undefined; yieldPoint: () => Promise<void> },
) {
  const read = (after: { day: Day; id: string }, limit: number) =>
    db
      .selectFrom('amounts')
      .select(['habit_id', 'id', 'day', 'value', 'is_set', 'created_at'])
      .where('user_id', '=', user_id)
      .where('habit_id', '=', id)
      .where('deleted_at', 'is', null)
      .where('day', '>=', after.day)
      .where('day', '<=', to)
      .where((eb) => eb(eb.refTuple('day', 'id'), '>', eb.tuple(after.day, after.id)))
      .orderBy('day')
      .orderBy('id')
      .limit(limit)
      .execute()
  const entries: Awaited<ReturnType<typeof read>> = []
  for (let after = { day: from, id: '' }; ; ) {
    const limit = Math.min(entriesAtOnce, most - entries.length)
    const rows = await read(after, limit)
    entries.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < limit || entries.length >= most) return entries
    after = last
    await yieldPoint()
  }
}

function joined(parts: readonly PackedDays[]): PackedDays {
  return {
    done: parts.flatMap(({ done }) => done),
    skipped: parts.flatMap(({ skipped }) => skipped),
    amounts: parts.flatMap(({ amounts }) => amounts),
    focused: parts.flatMap(({ focused }) => focused),
  }
}

function daysThat(
  isWanted: (day: number) => boolean,
  { done, skipped, amounts, focused }: PackedDays,
): PackedDays {
  return {
    done: done.filter(isWanted),
    skipped: skipped.filter(isWanted),
    amounts: amounts.filter(([day]) => isWanted(day)),
    focused: focused.filter(([day]) => isWanted(day)),
  }
}

function sizeOf({ done, skipped, amounts, focused }: PackedDays): number {
  return done.length + skipped.length + amounts.length + focused.length
}

/** Splits days into years, leaving out years without days. Takes one pass, since each kind of days is in order. */
function byYear(days: PackedDays, { first, last }: Years): DaysOfYears {
  const [done, skipped] = [inOrder(days.done, (day) => day), inOrder(days.skipped, (day) => day)]
  const amounts = inOrder(days.amounts, ([day]) => day)
  const focused = inOrder(days.focused, ([day]) => day)
  const years = new Map<number, PackedDays>()
  for (let year = first; year <= last; year += 1) {
    const end = dayNumber(lastDayOf(year)) + 1
    const ofYear = { done: done(end), skipped: skipped(end), amounts: amounts(end), focused: focused(end) }
    if (sizeOf(ofYear) > 0) years.set(year, ofYear)
  }
  return years
}

/** Returns a function that returns the items before `end` that it has not returned before. */
function inOrder<Item>(items: readonly Item[], dayOf: (item: Item) => number): (end: number) => Item[] {
  let next = 0
  return (end) => {
    const begun = next
    for (let item = items[next]; item !== undefined && dayOf(item) < end; item = items[next]) next += 1
    return items.slice(begun, next)
  }
}
