import { createHash } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import * as z from 'zod/mini'
import { isInMinutes, isMinutesDay } from '#features/habits/amounts/minutes.ts'
import { type DayNumbers, type HabitTrack, trackOf } from '#features/habits/rhythm/habit-track.ts'
import { periodOn } from '#features/habits/rhythm/periods.ts'
import { addDays, type Day, dayFromNumber, dayNumber, daySchema, yearOf } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { sendAlong } from '#platform/database/transaction-executor.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import { knowsRate, type ListedSummary, nameOfSummary, sumUpListed } from '../habit-summary.ts'
import type { PackedDays } from '../packed-year.ts'
import { type ReadHabitDays, readDaysOf, type UserTime } from './habit-days-store.ts'
import { deletePackedYears, packedDays, type ReadBudget } from './packed-year-store.ts'

// A habit of ten years has thousands of days, and its streaks and strength depend on all of them. So the old days are summed up
// in the habit's row. The sum cannot become stale. It names the rhythms, pauses and start that it was computed for, and a write
// that changes a day it covers also deletes it (`invalidatedSum`). A new sum is computed from packed whole years. The write
// deletes only the packed year that contains the changed day, so changing an old day costs one year, however many years there
// are.

type Row = Selectable<Tables['habits']>

/** At least this many of the last days are not summed up: people change these days, and their entries are sent. */
const daysNotSummed = 14
/** Like `daysNotSummed`, for habits to which focus sessions count: devices hold the sessions of this many days. */
const daysNotSummedOfMinutes = 30
/** The sum that is sent ends this many days before today. */
const daysShown = 7
/** If a sum ends more than this many days earlier than necessary, the next write extends it, so that few days remain outside. */
const daysBehind = 14
/**
 * Reading the list of habits extends a sum only if the sum ends more than this many days too early. If a person wrote nothing for
 * that long, only an import can have added days since.
 */
const daysBehindInList = 366

/** Summing up this many days takes as long as reading one entry. */
const daysSummedPerEntry = 10

/** A habit with its older days summed up. The track has the days since the sum. */
export interface SummedHabit extends ReadHabitDays {
  track: HabitTrack
  earlier: ListedSummary
}

/**
 * The habit with its stored sum; undefined if the sum must be computed again. `read` must contain at least the days since the
 * sum.
 */
export function withStoredSum(row: Row, read: ReadHabitDays, today: Day): SummedHabit | undefined {
  const stored = storedSum(row, read)
  if (!stored) return undefined
  const isNearEnough = stored.earlier.from >= addDays(today, -daysNotSummed - daysBehindInList)
  return isNearEnough && isUsable(stored, today) ? stored : undefined
}

/**
 * The habit with a correct sum that ends close to today. Computes and stores a new sum if necessary. Undefined if the budget was
 * not enough: the years read so far are then stored, and the next write continues. The habit must be locked.
 */
export async function withFreshSum(
  tx: Transaction<Tables>,
  row: Row,
  time: UserTime,
  budget: ReadBudget,
): Promise<SummedHabit | undefined> {
  const read = await readDaysOf(tx, row, { from: row.earlier_from ?? time.today }, time)
  const summed = await summedUp(tx, row, read, time, budget)
  // Charged only now: if many pauses and rhythms used up the budget first, no write would ever get to read the days.
  budget.left -= read.days.pauses.length + read.days.rows.length
  return summed
}

async function summedUp(
  tx: Transaction<Tables>,
  row: Row,
  read: ReadHabitDays,
  time: UserTime,
  budget: ReadBudget,
): Promise<SummedHabit | undefined> {
  const stored = storedSum(row, read)
  const track = stored?.track ?? trackOf(read.days)
  const boundary = periodStart(track, addDays(time.today, -daysNotSummedOf(track)))
  if (stored && isUsable(stored, time.today)) {
    const daysOld = dayNumber(boundary) - dayNumber(stored.earlier.from)
    if (daysOld <= daysBehind) return stored
    if (daysOld <= daysBehindInList) {
      budget.left -= daysOld
      const earlier = sumUpListed(track, boundary, time.today, stored.earlier)
      await storeSum(tx, row, sumColumns(track, earlier))
      return { ...stored, earlier }
    }
  }
  budget.isOutdated = false
  const packed = await packedDays(tx, row, { start: read.days.startDay, boundary }, budget)
  const earlier = packed && sumUpListed(withPacked(track, packed), boundary, time.today)
  // If there is no sum to store, clear the old one. While there is no sum, a change to any day looks for packed years to delete.
  await storeSum(tx, row, earlier && !budget.isOutdated ? sumColumns(track, earlier) : noSum)
  if (!earlier) return undefined
  budget.left -= Math.max(0, Math.ceil((dayNumber(boundary) - track.start) / daysSummedPerEntry))
  const since = await readDaysOf(tx, row, { from: earlier.from }, time, read.days)
  return { ...since, earlier, track: trackOf(since.days, earlier.firstEntry) }
}

/**
 * The change to the row after a write changed these days. If the sum covers one of the days, the sum is cleared, and the packed
 * years with these days are deleted. The habit must be locked.
 */
export async function invalidatedSum(
  tx: Transaction<Tables>,
  row: Row,
  days: readonly Day[],
): Promise<Partial<Row>> {
  const { earlier_from } = row
  // The year in which the sum ends, and later years, are never packed.
  const covered = days.filter((day) => earlier_from === null || day < earlier_from)
  if (covered.length === 0) return {}
  await deletePackedYears(tx, row, [...new Set(covered.map(yearOf))])
  return noSum
}

const noSum = { earlier_name: null, earlier_from: null, earlier_sum: null }

function daysNotSummedOf({ spans }: HabitTrack): number {
  return spans.some(({ target }) => isInMinutes(target)) ? daysNotSummedOfMinutes : daysNotSummed
}

/**
 * Whether the sum ends early enough. After a flight west it may end too late, or another rhythm may make the rate look back
 * further.
 */
function isUsable({ track, earlier }: SummedHabit, today: Day): boolean {
  return earlier.from <= periodStart(track, addDays(today, -daysShown)) && knowsRate(track, today, earlier)
}

function periodStart(track: HabitTrack, day: Day): Day {
  const period = periodOn(track, dayNumber(day))
  return period ? dayFromNumber(period.first) : day
}

function withPacked(track: HabitTrack, { done, skipped, amounts: entered, focused }: PackedDays): HabitTrack {
  const amounts = new Map(entered)
  for (const [day, minutes] of focused) {
    if (isMinutesDay(track.spans, day)) amounts.set(day, minutes + (amounts.get(day) ?? 0))
  }
  return {
    ...track,
    done: new Set(done),
    skipped: new Set(skipped),
    amounts,
    firstEntry: [...amounts.keys()].reduce(
      (first, day) => (day < track.start ? first : Math.min(first, day)),
      Number.POSITIVE_INFINITY,
    ),
  }
}

export async function storeSum(tx: Transaction<Tables>, row: Row, columns: Partial<Row>): Promise<void> {
  const storing = tx
    .updateTable('habits')
    .set(columns)
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
  await sendAlong(tx, storing.execute())
}

function sumColumns(track: HabitTrack, { from, ...sum }: ListedSummary) {
  return { earlier_name: nameOf(track, from), earlier_from: from, earlier_sum: JSON.stringify(sum) }
}

function storedSum(row: Row, read: ReadHabitDays): SummedHabit | undefined {
  const { earlier_name, earlier_from, earlier_sum } = row
  if (earlier_name === null || earlier_from === null || earlier_sum === null) return undefined
  const sum = storedJson(sumSchema, earlier_sum)
  if (!sum) return undefined
  const track = trackOf(read.days, sum.firstEntry)
  if (nameOf(track, earlier_from) !== earlier_name) return undefined
  // An older version may have stored the sum without the numbers for an unarchived habit.
  if (track.archived < dayNumber(earlier_from) && !sum.unarchived) return undefined
  return { ...read, track, earlier: { from: earlier_from, ...sum } }
}

const streakAndStrength = {
  run: z.number(),
  records: z.object({ days: z.number(), weeks: z.number(), months: z.number(), times: z.number() }),
  strength: z.object({ mean: z.number(), weight: z.number() }),
}

const sumSchema = z.object({
  ...streakAndStrength,
  unarchived: z.optional(z.object(streakAndStrength)),
  firstEntry: z.nullable(daySchema),
  lately: z.object({ from: daySchema, done: z.array(z.int()), failed: z.array(z.int()) }),
})

/** Names everything, except for the days themselves, that the sum of the days before `from` depends on. */
function nameOf(track: HabitTrack, from: Day): string {
  const end = dayNumber(from)
  const parts = [nameOfSummary(track, from), `from ${dayFromNumber(track.start)}`]
  if (track.archived < end) parts.push(`until ${dayFromNumber(track.archived)}`)
  const paused = nameOfPauses(track.pauses, end)
  if (paused !== '') parts.push(`without ${paused}`)
  return parts.join('; ')
}

/** There can be many pauses, and most habits share the same array of pauses. So the name is computed once for each array. */
function nameOfPauses(pauses: readonly DayNumbers[], end: number): string {
  const names = namesOf.get(pauses) ?? new Map<number, string>()
  namesOf.set(pauses, names)
  const known = names.get(end)
  if (known !== undefined) return known
  const paused = pauses
    .filter(([first]) => first < end)
    .map(([first, last]) => `${first}-${Math.min(last, end - 1)}`)
  const name = paused.length === 0 ? '' : hashOf(paused.toSorted().join())
  names.set(end, name)
  return name
}

const namesOf = new WeakMap<readonly DayNumbers[], Map<number, string>>()

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
