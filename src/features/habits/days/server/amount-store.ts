import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { amountOf, type FocusedSession, settledBy } from '#features/habits/amounts/amounts.ts'
import { isInMinutes } from '#features/habits/amounts/minutes.ts'
import { amountRows } from '#features/habits/amounts/server/amount-rows.ts'
import {
  type AmountRow,
  entryOf,
  namedIn,
  readEntriesOn,
  type StoredEntry,
} from '#features/habits/amounts/server/entry-store.ts'
import type { Habit } from '#features/habits/habit/habit.ts'
import { daysChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { writeHabit } from '#features/habits/habit/server/habit-write-store.ts'
import type { HabitRow } from '#features/habits/habit/server/live-habit-store.ts'
import { readFirstFocused } from '#features/habits/past/server/focused-session-store.ts'
import { readDaysOf, startDayOf, type UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { tickOf } from '#features/habits/rhythm/day-state.ts'
import { type HabitTrack, trackOf } from '#features/habits/rhythm/habit-track.ts'
import { type Period, periodOn } from '#features/habits/rhythm/periods.ts'
import type { AmountTarget } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf } from '#features/habits/rhythm/server/rhythm-store.ts'
import { type Day, dayFromNumber, dayNumber, type Instant } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type ChangeStamp, deletionOf, restorationOf } from '#platform/database/rows/deletion.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'

// Two devices that each add a glass make two rows. An entry that sets the amount replaces only the adds and sessions that it
// names, so the order of arrival does not matter.

interface Entry {
  day: Day
  value: number
  set: boolean
  settles?: readonly string[] | undefined
}

interface WrittenAmount {
  habit: Habit
  entry: StoredEntry
  created: boolean
}

/**
 * Adding the same id again changes nothing and returns the stored entry, or 'deleted' if it has been deleted since. Returns
 * undefined if the habit does not exist or was deleted later.
 */
export async function addAmount(
  db: Database,
  user: string,
  habit: string,
  id: string,
  { at, revives, ...entry }: Entry & ChangeStamp,
  time: UserTime,
): Promise<WrittenAmount | 'deleted' | undefined | TooManyRows> {
  let stored: { entry: StoredEntry; created: boolean } | undefined
  const written = await writeHabit(db, user, habit, { at, revives }, time, async (tx, row, _zone, adding) => {
    stored = await insertEntry(tx, adding, row, id, entry, at)
    return stored?.created ? daysChanged(tx, row, [entry.day], at) : row
  })
  if (written === undefined || written instanceof TooManyRows) return written
  return stored ? { habit: written, ...stored } : 'deleted'
}

/** Returns undefined if there is no such entry or it is already deleted. A deletion older than another change is ignored. */
export function removeAmount(
  db: Database,
  user: string,
  habit: string,
  id: string,
  stamp: ChangeStamp,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return changeEntry(db, user, habit, id, stamp, time, (row) => ({
    change: deletionOf(row, stamp.at),
    finds: row.deleted_at === null,
  }))
}

/** Returns undefined if there is no such entry or it was deleted later. */
export function restoreAmount(
  db: Database,
  user: string,
  habit: string,
  id: string,
  stamp: ChangeStamp,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return changeEntry(db, user, habit, id, stamp, time, (row) => {
    const change = restorationOf(row, stamp.at)
    return { change, finds: row.deleted_at === null || 'deleted_at' in change }
  })
}

/** Returns undefined if there is no such entry, or if `finds` is false. The change is stored even then. */
async function changeEntry(
  db: Database,
  user: string,
  habit: string,
  id: string,
  stamp: ChangeStamp,
  time: UserTime,
  changed: (row: AmountRow) => { change: Partial<AmountRow>; finds: boolean },
): Promise<Habit | undefined | TooManyRows> {
  let finds = false
  const written = await writeHabit(db, user, habit, stamp, time, async (tx, row) => {
    const entry = await amountRows.lock(tx, user, id)
    finds = false
    if (entry?.habit_id !== habit) return row
    const { change, ...found } = changed(entry)
    finds = found.finds
    if (finds && Object.keys(change).length === 0) keepAsItIs('deleted')
    await amountRows.update(tx, entry, change, stamp.at)
    return daysChanged(tx, row, [entry.day], stamp.at)
  })
  return finds || written instanceof TooManyRows ? written : undefined
}

/**
 * Stores the entry that ticking a day makes: it adds the missing amount or, if the target is a limit, sets 0. The habit must be
 * locked.
 */
export async function tickDay(
  tx: Transaction<Tables>,
  adding: Adding,
  row: HabitRow,
  day: Day,
  at: Instant,
  time: UserTime,
): Promise<void> {
  const { track } = await periodAround(tx, row, day, time)
  const tick = tickOf(track, day, time.today)
  if (tick === null) return
  const entry = 'add' in tick ? { day, value: tick.add, set: false } : { day, value: tick.set, set: true }
  await insertEntry(tx, adding, row, randomUUIDv7(), entry, at)
}

/**
 * Takes back the tick of a day: sets the amount to 0 or, if the target is a limit, removes the entries. The habit must be locked.
 */
export async function untickDay(
  tx: Transaction<Tables>,
  adding: Adding,
  row: HabitRow,
  day: Day,
  target: AmountTarget,
  at: Instant,
): Promise<void> {
  if (target.at === 'least') {
    const sessions = isInMinutes(target) ? await readSessionsEverOn(tx, row, day) : []
    if ((amountOf(await readEntriesOn(tx, row, day), sessions) ?? 0) > 0) {
      await insertEntry(tx, adding, row, randomUUIDv7(), { day, value: 0, set: true }, at)
    }
    return
  }
  await tx
    .updateTable('amounts')
    .set({ deleted_at: at, deletion_changed_at: at, updated_at: at })
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', '=', day)
    .where('deleted_at', 'is', null)
    .where('updated_at', '<=', at)
    .execute()
}

/** The period that contains a day, and the days since it began. If nothing is due on the day, only the days since that day. */
export async function periodAround(
  tx: Transaction<Tables>,
  row: HabitRow,
  day: Day,
  time: Pick<UserTime, 'weekStart' | 'dayAt'>,
): Promise<{ track: HabitTrack; period: Period | undefined }> {
  const rows = await readRhythmsOf(tx, row)
  const focused = await readFirstFocused(tx, row.user_id, new Map([[row.id, rows]]))
  const bare = trackOf({
    rows,
    startDay: startDayOf(row, focused.get(row.id)),
    archivedOn: null,
    states: new Map(),
    amounts: new Map(),
    pauses: [],
    weekStart: time.weekStart,
  })
  const period = periodOn(bare, dayNumber(day))
  const from = period ? dayFromNumber(period.first) : day
  return { track: trackOf((await readDaysOf(tx, row, { from }, time)).days), period }
}

/** Returns undefined if the id exists, but is deleted or belongs to another habit. */
async function insertEntry(
  tx: Transaction<Tables>,
  adding: Adding,
  row: HabitRow,
  id: string,
  { day, value, set, settles }: Entry,
  at: Instant,
): Promise<{ entry: StoredEntry; created: boolean } | undefined> {
  const replaced = set ? [...(settles ?? (await settledOn(tx, row, day, at)))] : null
  const fields = { habit_id: row.id, day, value, set, settles: replaced }
  const added = await amountRows.add(tx, adding, row.user_id, id, fields, at)
  if (added === 'deleted' || added.row.habit_id !== row.id) return undefined
  if (added.created) await refuseFullDays(tx, row, [day])
  if (added.created && set) await meetLaterSet(tx, row, { day, value }, at)
  const { settles: named } = added.row
  const entry = { ...entryOf(added.row), settles: named === null ? [] : namedIn(named) }
  return { entry, created: added.created }
}

/** Reports that the new set has no effect if a later set of the day exists: only the latest set of a day counts. */
async function meetLaterSet(
  tx: Transaction<Tables>,
  row: HabitRow,
  { day, value }: Pick<Entry, 'day' | 'value'>,
  at: Instant,
): Promise<void> {
  const later = await tx
    .selectFrom('amounts')
    .select(['created_at', 'value'])
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', '=', day)
    .where('is_set', '=', 1)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', at)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (later && changedSince(later.created_at, at) && later.value !== value) keepAsItIs('amount')
}

/** The ids that a set without `settles` replaces. */
async function settledOn(tx: Transaction<Tables>, row: HabitRow, day: Day, at: Instant): Promise<string[]> {
  const entries = await readEntriesOn(tx, row, day)
  const sessions = await readSessionsEverOn(tx, row, day)
  for (const each of [...entries, ...sessions]) changedSince(each.at, at)
  return settledBy(at, entries, sessions)
}

/** All sessions that a set of the day may replace, including deleted ones. */
async function readSessionsEverOn(
  tx: Transaction<Tables>,
  { user_id, id }: HabitRow,
  on: Day,
): Promise<FocusedSession[]> {
  const rows = await tx
    .selectFrom('focus_days')
    .leftJoin('focus_sessions', (join) =>
      join
        .onRef('focus_sessions.user_id', '=', 'focus_days.user_id')
        .onRef('focus_sessions.id', '=', 'focus_days.session_id'),
    )
    .select(['habit_id', 'session_id', 'day', 'seconds', 'subject_at', 'deleted_at'])
    .where('focus_days.user_id', '=', user_id)
    .where('day', '=', on)
    .execute()
  return rows.flatMap(({ habit_id, session_id, day, seconds, subject_at, deleted_at }) =>
    habit_id === id
      ? { id: session_id, day, seconds, at: subject_at ?? 0, deleted: deleted_at !== null }
      : [],
  )
}

/**
 * The most entries on one day of a habit, including deleted ones. The limit bounds the cost of reading a few weeks of entries.
 */
const mostOnOneDay = 300

/** Throws TooManyRows if one of these days has too many entries. Call it after entries are added. */
export async function refuseFullDays(
  tx: Transaction<Tables>,
  { user_id, id }: { user_id: string; id: string },
  days: Iterable<Day>,
): Promise<void> {
  for (const day of new Set(days)) {
    const [beyond] = await entryBeyond(tx, { user: user_id, habit: id, day, most: mostOnOneDay })
    if (!beyond) continue
    throw new TooManyRows(
      `A day of a habit can have up to ${mostOnOneDay} amounts, deleted ones included. Enter more of it at once.`,
    )
  }
}

const entryBeyond = compiledOnce<{ user: string; habit: string; day: Day; most: number }>()((db, param) =>
  db
    .selectFrom('amounts')
    .select('day')
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit'))
    .where('day', '=', param('day'))
    .limit(1)
    .offset(param('most')),
)
