import type { Selectable, Transaction } from 'kysely'
import { type Day, dayNumber } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countDays } from '#platform/database/work.ts'
import { firstDayOf, lastDayOf, packYear, unpackYear, yearOf } from '../packed-year.ts'
import { isDone } from './done-days-store.ts'

// Whole years of a habit's completions, packed. A year that is not there has to be read, which costs nothing where there is
// nothing in it; one that is there is right: the write that changes one of its days takes it away.

type Row = Selectable<Tables['habits']>

/** How many completions a write may still read for sums before it lets others write. */
export interface Effort {
  left: number
}

/** Some milliseconds' worth. */
export function effortOfOneWrite(): Effort {
  return { left: 5_000 }
}

/** Of a year; it may be more than what is left of the effort, which then is spent. */
const mostDaysOfYear = 366
/** What reading the years of a habit takes at least, in days. */
const leastEffort = 300

/**
 * The numbers of all days completed before `boundary`, in order, with each whole year packed that was not. Undefined where
 * the effort did not suffice to pack them all. The habit has to be locked.
 */
export async function packedDays(
  tx: Transaction<Tables>,
  row: Row,
  boundary: Day,
  effort: Effort,
): Promise<number[] | undefined> {
  effort.left -= leastEffort
  const stored = await tx
    .selectFrom('habit_years')
    .select(['year', 'days'])
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .execute()
  const packed = new Map(stored.map(({ year, days }) => [year, days]))
  // Where the boundary has moved back over a New Year: changes after it do not look for packed years.
  const open = yearOf(boundary)
  await forgetYears(
    tx,
    row,
    [...packed.keys()].filter((year) => year >= open),
  )

  const days: number[] = []
  for (let year = yearOf(row.start_day); year < open; ) {
    const known = packed.get(year)
    if (known !== undefined) {
      const unpacked = unpackYear(year, known)
      countDays(unpacked.length)
      days.push(...unpacked)
      year += 1
      continue
    }
    if (effort.left <= 0) return undefined
    let next = year + 1
    while (next < open && !packed.has(next)) next += 1
    const read = await packYears(tx, row, { first: year, last: next - 1 }, effort)
    if (!read) return undefined
    days.push(...read)
    year = next
  }
  const ofOpenYear = await readDays(tx, row, firstDayOf(open), boundary, mostDaysOfYear)
  effort.left -= ofOpenYear.length
  return days.concat(ofOpenYear.filter((day) => day < dayNumber(boundary)))
}

/** Takes them away, since days of them change. */
export async function forgetYears(
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

/** Packs as many of these years, none of which is, as the effort suffices for; their days where it did for all. */
async function packYears(
  tx: Transaction<Tables>,
  row: Row,
  { first, last }: { first: number; last: number },
  effort: Effort,
): Promise<number[] | undefined> {
  const most = Math.max(effort.left, mostDaysOfYear + 1)
  const days = await readDays(tx, row, firstDayOf(first), lastDayOf(last), most)
  effort.left -= days.length
  const lastRead = days.at(-1)
  // Of the last year that was read some days may be missing.
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
