import { liveRows } from '#features/habits/habit/server/habit-write-store.ts'
import { readDaysOf, readFirstEntries, type UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { type StateOfDay, statesOf } from '#features/habits/rhythm/day-state.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { periodOn } from '#features/habits/rhythm/periods.ts'
import { dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'

/** What became of each day of a range of at most a year. */
export async function listDays(
  db: Database,
  user: string,
  id: string,
  range: DayRange,
  time: UserTime,
): Promise<(StateOfDay & { note: string })[] | undefined> {
  return db.snapshot(async (tx) => {
    const row = await liveRows(tx, user).where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const inRange = await readDaysOf(tx, row, range, time)
    // A limit that is summed over a period needs the days before the range that belong to its first period.
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
