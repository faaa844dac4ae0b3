import type { Kysely, Selectable, Transaction } from 'kysely'
import { type Day, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import { revisionOf } from '#platform/database/revision.ts'
import type { Tables } from '#platform/database/tables.ts'
import { betweenStretches, countDays } from '#platform/database/work.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { amountOf, focusedMinutes } from '../amounts.ts'
import { firstDayOf, lastDayOf, type PackedDays, packYear, unpackYear, yearOf } from '../packed-year.ts'
import { isDone, isSkipped } from './done-days-store.ts'
import { readSessionsOf } from './focused-store.ts'
import { entryOf, readSettles } from './habit-days-store.ts'

// Whole years of a habit's days, packed. A year that is not packed has to be read, which costs nothing if it is empty. A packed
// year is always correct: the write that changes one of its days deletes it.

type Row = Selectable<Tables['habits']>

// On SQLite, other writes wait for one that reads. So a year with a great many entries is read before the write that needs it; what
// that write makes of it is stored only if nothing was written in between.

/** How many days and entries a write may still read for sums before it lets other writes run. */
export interface ReadBudget {
  left: number
  readonly ahead: ReadAhead
  /** Set if the write needs this year first (`readYearAhead`). */
  crowded?: HabitYear
  /** Set once a sum is made of a year that may have changed since it was read: then it is shown, but not stored. */
  isOutdated?: boolean
}

interface HabitYear {
  habit: Pick<Row, 'user_id' | 'id'>
  year: number
}

/** Years that were read before a write, by `nameOf`. */
export type ReadAhead = Map<string, { days: PackedDays; revision: string | undefined }>

/** A few milliseconds' worth. */
const mostOfOneWrite = 5_000

/** The budget of a write that has just begun. */
export function readBudgetOfOneWrite(ahead: ReadAhead = new Map()): ReadBudget {
  return { left: mostOfOneWrite, ahead }
}

/** What is left of it for one that has read hardly anything yet: where this is too little for a year, it is too little for any write. */
const nearlyAll = 4_000

/** Reads a year for the next write, and others are served meanwhile. */
export async function readYearAhead(
  db: Database,
  { habit, year }: HabitYear,
  ahead: ReadAhead,
): Promise<void> {
  const revision = await revisionOf(db.read, habit.user_id)
  await betweenStretches()
  const { days } = await readDays(db.read, habit, { first: year, last: year })
  ahead.set(nameOfYear(habit, year), { days, revision })
  await betweenStretches()
}

function nameOfYear({ id }: { id: string }, year: number): string {
  return `${id} ${year}`
}

/** A year that was read ahead, and whether it is certain that it has not changed since. The habit must be locked. */
async function takenAhead(
  tx: Transaction<Tables>,
  row: Row,
  year: number,
  budget: ReadBudget,
): Promise<{ days: PackedDays; isCurrent: boolean } | undefined> {
  const known = budget.ahead.get(nameOfYear(row, year))
  if (!known) return undefined
  const isCurrent = (await revisionOf(tx, row.user_id)) === known.revision
  if (!isCurrent) budget.isOutdated = true
  return { days: known.days, isCurrent }
}

/** More than the days of a year, so that at least one is packed; they may exceed what is left of the budget. */
const leastRead = 367
/** The minimum cost of reading the years of a habit, in days. */
const leastCost = 300

/**
 * All days from `start` to before `boundary`, in order. Packs every whole year that is not packed yet. Undefined if the budget was not enough
 * to pack them all. The habit must be locked.
 */
export async function packedDays(
  tx: Transaction<Tables>,
  row: Row,
  { start, boundary }: { start: Day; boundary: Day },
  budget: ReadBudget,
): Promise<PackedDays | undefined> {
  budget.left -= leastCost
  const stored = await tx
    .selectFrom('habit_years')
    .select(['year', 'days'])
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .execute()
  const packed = new Map(stored.map(({ year, days }) => [year, days]))
  // The boundary may have moved back past a New Year: changes after it do not look for packed years.
  const open = yearOf(boundary)
  await deletePackedYears(
    tx,
    row,
    [...packed.keys()].filter((year) => year >= open),
  )

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
    if (budget.left <= 0) return undefined
    let next = year + 1
    while (next < open && !packed.has(next)) next += 1
    const read = await packYears(tx, row, { first: year, last: next - 1 }, budget)
    if (!read) return undefined
    parts.push(read)
    year = next
  }
  const ofOpenYear = await readYear(tx, row, open, budget)
  if (!ofOpenYear) return undefined
  const end = dayNumber(boundary)
  parts.push(daysThat((day) => day < end, ofOpenYear))
  return joined(parts)
}

/** One whole year; undefined if the budget was not enough. */
async function readYear(
  tx: Transaction<Tables>,
  row: Row,
  year: number,
  budget: ReadBudget,
): Promise<PackedDays | undefined> {
  const known = await takenAhead(tx, row, year, budget)
  if (known) return known.days
  const { left } = budget
  const read = await readDays(tx, row, { first: year, last: year }, Math.max(left, leastRead))
  budget.left -= read.rows
  if (read.end > year) return read.days
  // With all of a budget, it may fit into the next write.
  if (left >= nearlyAll) budget.crowded = { habit: row, year }
  return undefined
}

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

interface Years {
  first: number
  last: number
}

/** Packs as many of these unpacked years as the budget allows; returns their days if it was enough for all of them. */
async function packYears(
  tx: Transaction<Tables>,
  row: Row,
  { first, last }: Years,
  budget: ReadBudget,
): Promise<PackedDays | undefined> {
  const known = await takenAhead(tx, row, first, budget)
  if (known) {
    if (known.isCurrent) await storeYears(tx, row, { first, last: first }, known.days)
    if (first === last) return known.days
    const others = await packYears(tx, row, { first: first + 1, last }, budget)
    return others && joined([known.days, others])
  }
  const { left } = budget
  const read = await readDays(tx, row, { first, last }, Math.max(left, leastRead))
  budget.left -= read.rows
  if (read.end === first && left >= nearlyAll) budget.crowded = { habit: row, year: first }
  await storeYears(tx, row, { first, last: read.end - 1 }, read.days)
  return read.end > last ? read.days : undefined
}

async function storeYears(
  tx: Transaction<Tables>,
  row: Row,
  { first, last }: Years,
  read: PackedDays,
): Promise<void> {
  const rows = []
  for (let year = first; year <= last; year += 1) {
    const days = daysThat((day) => yearOfNumber(day) === year, read)
    if (sizeOf(days) > 0) {
      rows.push({ user_id: row.user_id, habit_id: row.id, year, days: packYear(year, days) })
    }
  }
  for (const batch of inBatches(rows)) await tx.insertInto('habit_years').values(batch).execute()
}

const noDays: PackedDays = { done: [], skipped: [], amounts: [], focused: [] }

/** The days of some years, and the first year that may be incomplete, since no more than `most` rows of a kind are read. */
async function readDays(
  db: Kysely<Tables>,
  row: HabitYear['habit'],
  { first, last }: Years,
  most?: number,
): Promise<{ days: PackedDays; end: number; rows: number }> {
  const completions = (which: typeof isDone) =>
    db
      .selectFrom('completions')
      .select('day')
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where(which)
      .where('day', '>=', firstDayOf(first))
      .where('day', '<=', lastDayOf(last))
      .orderBy('day')
      .$if(most !== undefined, (query) => query.limit(most ?? 0))
      .execute()
  const done = await completions(isDone)
  const skipped = await completions(isSkipped)
  const range = { from: firstDayOf(first), to: lastDayOf(last) }
  const yieldPoint = createYieldPoint()
  const entries = await readEntries(db, row, range, { most, yieldPoint })
  const sessions = await readSessionsOf(db, row, range, most)
  if (!sessions) return { days: noDays, end: first, rows: entries.length + (most ?? 0) }
  const numbered = ({ day }: { day: Day }) => dayNumber(day)
  const settles = await readSettles(db, row.user_id, entries)
  const entered = entries.map((entry) => entryOf(entry, settles))
  const entriesOn = Map.groupBy(entered, ({ day }) => day)
  const amounts: [day: number, amount: number][] = []
  for (const [day, ofDay] of entriesOn) {
    await yieldPoint()
    const amount = amountOf(ofDay)
    if (amount !== null) amounts.push([dayNumber(day), amount])
  }
  const focused = [...Map.groupBy(sessions, ({ day }) => day)].flatMap(([day, ofDay]) => {
    const amount = focusedMinutes(entriesOn.get(day) ?? [], ofDay)
    return amount === null ? [] : [[dayNumber(day), amount] as const]
  })
  const lastRead = [done, skipped, entries].flatMap((rows) => {
    const day = rows.length === most ? rows.at(-1)?.day : undefined
    return day === undefined ? [] : [yearOf(day)]
  })
  return {
    days: { done: done.map(numbered), skipped: skipped.map(numbered), amounts, focused },
    end: Math.min(last + 1, ...lastRead),
    rows: done.length + skipped.length + entries.length + sessions.length,
  }
}

/** Of one statement: a year may have a hundred times as many. */
const entriesAtOnce = 2_000

/** Those of a range, in the order of their days; no more than `most`. */
async function readEntries(
  db: Kysely<Tables>,
  { user_id, id }: HabitYear['habit'],
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

function yearOfNumber(day: number): number {
  return new Date(day * 86_400_000).getUTCFullYear()
}
