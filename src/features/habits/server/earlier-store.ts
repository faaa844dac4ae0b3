import type { Selectable, Transaction } from 'kysely'
import { addDays, type Day, dayNumber } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { yearOf } from '../packed-year.ts'
import { type Earlier, periodStart, type Rhythm, sumUpBefore, sumUpNumbersBefore } from '../streak.ts'
import { isDone } from './done-days-store.ts'
import { type Effort, forgetYears, packedDays } from './year-store.ts'

// A habit of ten years has thousands of completions, and its streaks need them all. So the ones of long ago are summed up
// in the habit's row. The sum cannot go stale: it names the rhythm that it was made for, and the write that changes one of
// the days under it also takes it away (`forgottenSum`). It is made again from whole years that are kept packed, of which
// that write takes away only the one that changed: so a day of long ago costs one year, however many there are.

type Row = Selectable<Tables['habits']>

/** Longer than any stretch that a listed habit looks back over. */
const daysKeptApart = 100
/** Every write moves the boundary on when it is older than this, so that the days since stay few. */
const oldestBoundary = 130
/** A list does so only from here on: of somebody who wrote nothing for so long there are days since by an import alone. */
const oldestListed = 366

/** The sum of the completions before `from`, or undefined when it has to be made again for this rhythm. */
export function earlierOf(row: Row, rhythm: Rhythm, today: Day): Earlier | undefined {
  const known = storedSum(row, rhythm)
  return known && known.from >= addDays(today, -oldestListed) ? known : undefined
}

/**
 * A sum that is right for `rhythm` and reaches close to today, stored where it was not. Undefined where the effort did not
 * suffice: what was read is kept then, and the next write goes on from there.
 */
export async function sumUpAgain(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  today: Day,
  effort: Effort,
): Promise<Earlier | undefined> {
  const known = storedSum(row, rhythm)
  if (known && known.from >= addDays(today, -oldestBoundary)) return known

  const boundary = periodStart(addDays(today, -daysKeptApart), rhythm)
  const earlier =
    (known && (await movedOn(tx, row, rhythm, known, boundary, effort))) ??
    (await summedUp(tx, row, rhythm, boundary, effort))
  // Also where it is not made yet: until then changes have to look for packed years wherever they are.
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
 * What is left of the sum by a write that changes these days: nothing where one of them lies under it, and the
 * packed years that hold them go as well. The habit has to be locked.
 */
export async function forgottenSum(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[],
): Promise<Partial<Row>> {
  const { earlier_from } = row
  // Of the year in which the sum ends, and of those after it, none is packed.
  const under = days.filter((day) => earlier_from === null || day < earlier_from)
  if (under.length === 0) return {}
  await forgetYears(tx, row, [...new Set(under.map(yearOf))])
  return noSum
}

/** The days completed from a day on, in order. */
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

/** Undefined where there may be too many days in between to read them at once. */
async function movedOn(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  known: Earlier,
  boundary: Day,
  effort: Effort,
): Promise<Earlier | undefined> {
  const mayBeRead = dayNumber(boundary) - dayNumber(known.from)
  if (mayBeRead > oldestListed) return undefined
  effort.left -= mayBeRead
  return sumUpBefore(await daysSince(tx, row, known.from), boundary, rhythm, known)
}

async function summedUp(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  boundary: Day,
  effort: Effort,
): Promise<Earlier | undefined> {
  const days = await packedDays(tx, row, boundary, effort)
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
