import type { Selectable, Transaction } from 'kysely'
import { type Day, dayNumber } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countDays } from '#platform/database/work.ts'
import { firstDayOf, lastDayOf, packYear, unpackYear, yearOf } from '../packed-year.ts'
import { isDone } from './done-days-store.ts'

// Whole years of a habit's completions, packed. A year that is not packed has to be read, which costs nothing if it is empty. A
// packed year is always correct: the write that changes one of its days deletes it.

type Row = Selectable<Tables['habits']>

/** How many completions a write may still read for sums before it lets other writes run. */
export interface ReadBudget {
  left: number
}

/** A few milliseconds' worth. */
export function readBudgetOfOneWrite(): ReadBudget {
  return { left: 5_000 }
}

/** Days in a year; they may exceed what is left of the budget, which is then spent. */
const mostDaysOfYear = 366
/** The minimum cost of reading the years of a habit, in days. */
const leastCost = 300

/**
 * The numbers of all days completed before `boundary`, in order. Packs every whole year that is not packed yet. Undefined if
 * the budget was not enough to pack them all. The habit must be locked.
 */
export async function packedDays(
  tx: Transaction<Tables>,
  row: Row,
  boundary: Day,
  budget: ReadBudget,
): Promise<number[] | undefined> {
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

  const days: number[] = []
  for (let year = yearOf(row.start_day); year < open; ) {
    const packedYear = packed.get(year)
    if (packedYear !== undefined) {
      const unpacked = unpackYear(year, packedYear)
      countDays(unpacked.length)
      days.push(...unpacked)
      year += 1
      continue
    }
    if (budget.left <= 0) return undefined
    let next = year + 1
    while (next < open && !packed.has(next)) next += 1
    const read = await packYears(tx, row, { first: year, last: next - 1 }, budget)
    if (!read) return undefined
    days.push(...read)
    year = next
  }
  const ofOpenYear = await readDays(tx, row, firstDayOf(open), boundary, mostDaysOfYear)
  budget.left -= ofOpenYear.length
  return days.concat(ofOpenYear.filter((day) => day < dayNumber(boundary)))
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

/** Packs as many of these unpacked years as the budget allows; returns their days if it was enough for all of them. */
async function packYears(
  tx: Transaction<Tables>,
  row: Row,
  { first, last }: { first: number; last: number },
  budget: ReadBudget,
): Promise<number[] | undefined> {
  const most = Math.max(budget.left, mostDaysOfYear + 1)
  const days = await readDays(tx, row, firstDayOf(first), lastDayOf(last), most)
  budget.left -= days.length
  const lastRead = days.at(-1)
  // The last year that was read may be incomplete.
  const end = days.length < most || lastRead === undefined ? last + 1 : yearOfNumber(lastRead)
  const ofYear = Map.groupBy(days, yearOfNumber)
  const rows = [...ofYear]
    .filter(([year]) => year < end)
    .map(([year, days]) => ({
      user_id: row.user_id,
      habit_id: row.id,
      year,
      days: packYear(year, days),
    }))
  for (const batch of inBatches(rows)) await tx.insertInto('habit_years').values(batch).execute()
  return end > last ? days : undefined
}

async function readDays(
  tx: Transaction<Tables>,
  row: Row,
  from: Day,
  to: Day,
  most: number,
): Promise<number[]> {
  const completions = await tx
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where(isDone)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .limit(most)
    .execute()
  return completions.map(({ day }) => dayNumber(day))
}

function yearOfNumber(day: number): number {
  return new Date(day * 86_400_000).getUTCFullYear()
}
