import type { Selectable, Transaction } from 'kysely'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type Earlier, type Rhythm, sumUpBefore } from '../streak.ts'

// A habit of ten years has thousands of completions, and its streaks need them all. So the ones of long ago are summed up
// in the habit's row. The sum cannot go stale: it names the rhythm that it was made for, and the write that changes one of
// the days under it also takes it away (see completion-store.ts).

type Row = Selectable<Tables['habits']>

/** Longer than any stretch that a listed habit looks back over. */
const daysKeptApart = 100
/** Every write moves the boundary on when it is older than this, so that the days since stay few. */
const oldestBoundary = 130

/** The sum of the completions before `from`, or undefined when it has to be made anew for this rhythm. */
export function earlierOf(row: Row, rhythm: Rhythm): Earlier | undefined {
  if (row.earlier_rhythm !== nameOf(rhythm)) return undefined
  if (row.earlier_from === null || row.earlier_run === null || row.earlier_longest === null) return undefined
  return { from: row.earlier_from, run: row.earlier_run, longest: row.earlier_longest }
}

/** A sum that is right for `rhythm` and reaches close to today, stored where it was not. */
export async function sumUpAnew(
  tx: Transaction<Tables>,
  row: Row,
  rhythm: Rhythm,
  today: Day,
): Promise<Earlier> {
  const known = earlierOf(row, rhythm)
  if (known && known.from >= addDays(today, -oldestBoundary)) return known

  const earlier = sumUpBefore(await daysOf(tx, row), addDays(today, -daysKeptApart), rhythm)
  await tx
    .updateTable('habits')
    .set({
      earlier_rhythm: nameOf(rhythm),
      earlier_from: earlier.from,
      earlier_run: earlier.run,
      earlier_longest: earlier.longest,
    })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute()
  return earlier
}

/** The days completed from a day on, or all of them, in order. */
export async function daysOf(tx: Transaction<Tables>, row: Row, from?: Day): Promise<Day[]> {
  const completions = await tx
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('done', '=', 1)
    .$if(from !== undefined, (query) => query.where('day', '>=', from ?? row.start_day))
    .orderBy('day')
    .execute()
  return completions.map(({ day }) => day)
}

function nameOf(rhythm: Rhythm): string {
  return rhythm.frequency === 'daily' ? 'daily' : `weekly-${rhythm.weekStart}`
}
