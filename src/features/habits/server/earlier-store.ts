import type { Selectable, Transaction } from 'kysely'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { yearOf } from '../packed-year.ts'
import { type Earlier, periodStart, type Rhythm, sumUpBefore, sumUpNumbersBefore } from '../streak.ts'
import { isDone } from './done-days-store.ts'
import { deletePackedYears, packedDays, type ReadBudget } from './year-store.ts'

// A habit of ten years has thousands of completions, and its streaks depend on all of them. So the old ones are summed up in the
// habit's row. The sum cannot go stale: it names the rhythm that it was computed for, and the write that changes one of the days
// it covers also deletes it (`invalidatedSum`). It is recomputed from packed whole years, of which that write deletes only the
// one that changed: so changing an old day costs one year, however many there are.

type Row = Selectable<Tables['habits']>

/** Longer than any range that a listed habit looks back over. */
const daysNotSummed = 100
/** Every write moves a boundary older than this forward, so that the days since then stay few. */
const oldestBoundary = 130
/** A list does so only past this age: for someone who wrote nothing for so long, only an import can have added days since. */
const oldestListed = 366

/** The sum of the completions before `from`, or undefined if it has to be recomputed for this rhythm. */
export function earlierOf(row: Row, rhythm: Rhythm, today: Day): Earlier | undefined {
  const stored = storedSum(row, rhythm)
  return stored && stored.from >= addDays(today, -oldestListed) ? stored : undefined
}

/**
 * A sum that is correct for `rhythm` and reaches close to today; it is stored if it was not. Undefined if the budget was not
 * enough: what was read is then kept, and the next write continues from there.
 */
export async function refreshSum(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  today: Day,
  budget: ReadBudget,
): Promise<Earlier | undefined> {
  const stored = storedSum(row, rhythm)
  if (stored && stored.from >= addDays(today, -oldestBoundary)) return stored

  const boundary = periodStart(addDays(today, -daysNotSummed), rhythm)
  const earlier =
    (stored && (await extendSum(tx, row, rhythm, stored, boundary, budget))) ??
    (await computeSum(tx, row, rhythm, boundary, budget))
  // Also if there is no sum yet: until then, changes have to look for packed years anywhere.
  await tx
    .updateTable('habits')
    .set(
      earlier
        ? {
            earlier_rhythm: nameOf(rhythm),
            earlier_from: earlier.from,
            earlier_run: earlier.run,
            earlier_longest: earlier.longest,
          }
        : noSum,
    )
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute()
  return earlier
}

const noSum = { earlier_rhythm: null, earlier_from: null, earlier_run: null, earlier_longest: null }

/**
 * What a write that changes these days does to the sum: if the sum covers one of them, it is cleared, and the packed years that
 * contain them are deleted. The habit must be locked.
 */
export async function invalidatedSum(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[],
): Promise<Partial<Row>> {
  const { earlier_from } = row
  // The year in which the sum ends, and those after it, are never packed.
  const covered = days.filter((day) => earlier_from === null || day < earlier_from)
  if (covered.length === 0) return {}
  await deletePackedYears(tx, row, [...new Set(covered.map(yearOf))])
  return noSum
}

/** The days completed since a day, in order. */
export async function daysSince(tx: Transaction<Tables>, row: Row, from: Day): Promise<Day[]> {
  const completions = await tx
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where(isDone)
    .where('day', '>=', from)
    .orderBy('day')
    .execute()
  return completions.map(({ day }) => day)
}

/** Undefined if there may be too many days in between to read at once. */
async function extendSum(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  stored: Earlier,
  boundary: Day,
  budget: ReadBudget,
): Promise<Earlier | undefined> {
  const daysBetween = dayNumber(boundary) - dayNumber(stored.from)
  if (daysBetween > oldestListed) return undefined
  budget.left -= daysBetween
  return sumUpBefore(await daysSince(tx, row, stored.from), boundary, rhythm, stored)
}

async function computeSum(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  boundary: Day,
  budget: ReadBudget,
): Promise<Earlier | undefined> {
  const days = await packedDays(tx, row, boundary, budget)
  return days && sumUpNumbersBefore(days, boundary, rhythm)
}

function storedSum(row: Row, rhythm: Rhythm): Earlier | undefined {
  if (row.earlier_rhythm !== nameOf(rhythm)) return undefined
  if (row.earlier_from === null || row.earlier_run === null || row.earlier_longest === null) return undefined
  return { from: row.earlier_from, run: row.earlier_run, longest: row.earlier_longest }
}

function nameOf(rhythm: Rhythm): string {
  return rhythm.frequency === 'daily' ? 'daily' : `weekly-${rhythm.weekStart}`
}
