import { liveHabits } from '#features/habits/habit/server/live-habit-store.ts'
import {
  isDone,
  readDaysOf,
  readFirstEntries,
  readUpTo,
  type UserTime,
} from '#features/habits/past/server/habit-days-store.ts'
import { type StateOfDay, statesOf } from '#features/habits/rhythm/day-state.ts'
import { isDoneDay, trackOf } from '#features/habits/rhythm/habit-track.ts'
import { periodOn } from '#features/habits/rhythm/periods.ts'
import { spansOf } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf } from '#features/habits/rhythm/server/rhythm-store.ts'
import { addDays, type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'

/** The state of each day in a range of at most a year; undefined if the habit does not exist or is deleted. */
export async function listDays(
  db: Database,
  user: string,
  id: string,
  range: DayRange,
  time: UserTime,
): Promise<(StateOfDay & { note: string })[] | undefined> {
  return db.snapshot(async (tx) => {
    const row = await liveHabits(tx, user).selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const inRange = await readDaysOf(tx, row, range, time)
    // If the target is a limit summed over a period, the days of the first period before the range are needed, too.
    const period = periodOn(trackOf(inRange.days), dayNumber(range.from))
    const from = period ? dayFromNumber(period.first) : range.from
    const { days } = from < range.from ? await readDaysOf(tx, row, { ...range, from }, time) : inRange
    const firstEntries = await readFirstEntries(tx, user, [{ id, ...days }])
    const notes = await tx
      .selectFrom('completions')
      .select(['day', 'note'])
      .where('user_id', '=', user)
      .where('habit_id', '=', id)
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .where('note', '<>', '')
      .execute()
    const noteOf = new Map(notes.map(({ day, note }) => [day, note]))
    return statesOf(trackOf(days, firstEntries.get(id)), range, time.today).map((of) => ({
      ...of,
      note: noteOf.get(of.day) ?? '',
    }))
  })
}

/** The completed days in a range, in order; undefined if the habit does not exist or is deleted. */
export async function listCompletions(
  db: Database,
  user: string,
  id: string,
  range: DayRange,
  time: UserTime,
): Promise<Day[] | undefined> {
  const spans = spansOf(await readRhythmsOf(db.read, { user_id: user, id }))
  if (spans.every(({ target }) => target === 'yes')) return listTicks(db, user, id, range)
  const days: Day[] = []
  for (let [from, length] = [range.from, mostDaysAtOnce]; from <= range.to; ) {
    const end = addDays(from, length - 1)
    const stretch = { from, to: end < range.to ? end : range.to }
    const done = await doneDays(db, user, id, stretch, time, length > 1 ? entriesAtOnce : undefined)
    if (done === undefined) return undefined
    await betweenStretches()
    if (done === 'too many') {
      length = Math.ceil(length / 4)
      continue
    }
    days.push(...done)
    from = addDays(stretch.to, 1)
    length = Math.min(length * 2, mostDaysAtOnce)
  }
  return days
}

/** Ticked days per read: few enough that other requests are served between two reads of a long history. */
const ticksAtOnce = 5_000
/** Days per read: enough for many years of a habit that has few entries and sessions per day. */
const mostDaysAtOnce = 10_000
/** The most entries and sessions per read, which takes a few milliseconds. A single day has fewer. */
const entriesAtOnce = 2_000

/**
 * The days of a short range on which an amount was reached. 'too many' if there are more than `most` entries; undefined if the
 * habit does not exist or is deleted.
 */
async function doneDays(
  db: Database,
  user: string,
  id: string,
  range: DayRange,
  time: UserTime,
  most: number | undefined,
): Promise<Day[] | 'too many' | undefined> {
  const read = await db.snapshot(async (tx) => {
    const row = await liveHabits(tx, user).selectAll().where('id', '=', id).executeTakeFirst()
    // Pauses do not change which days were done, so don't read them.
    return (
      row && ((await readUpTo(tx, user, [row], range, time, { few: true, most, pauses: [] })) ?? 'too many')
    )
  })
  if (read === undefined || read === 'too many') return read
  const days = read.get(id)?.days
  if (!days) return []
  const track = trackOf(days)
  const today = dayNumber(time.today)
  return daysInOrder([...track.done, ...track.amounts.keys()].filter((day) => isDoneDay(track, day, today)))
}

/**
 * The ticked days of a range, in order, even where an amount decides instead; undefined if the habit does not exist or is
 * deleted.
 */
async function listTicks(
  db: Database,
  user: string,
  id: string,
  { from, to }: DayRange,
): Promise<Day[] | undefined> {
  const days: Day[] = []
  const read = (last?: { day: Day | null }) =>
    db.read
      .selectFrom('habits')
      .leftJoin('completions', (join) =>
        join
          .onRef('completions.user_id', '=', 'habits.user_id')
          .onRef('completions.habit_id', '=', 'habits.id')
          .on(isDone)
          .on('completions.day', '>=', last?.day ? addDays(last.day, 1) : from)
          .on('completions.day', '<=', to),
      )
      .select('completions.day')
      .where('habits.user_id', '=', user)
      .where('habits.id', '=', id)
      .where('habits.deleted_at', 'is', null)
      .orderBy('completions.day')
      .limit(ticksAtOnce)
      .execute()
  for await (const rows of pagesByKey(ticksAtOnce, read, betweenStretches)) {
    if (rows.length === 0) return undefined
    for (const { day } of rows) if (day !== null) days.push(day)
  }
  return days
}

function daysInOrder(numbers: readonly number[]): Day[] {
  return [...new Set(numbers)].sort((a, b) => a - b).map(dayFromNumber)
}
