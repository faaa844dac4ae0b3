import type { Transaction } from 'kysely'
import { isInMinutes } from '#features/habits/amounts/minutes.ts'
import type { Habit } from '#features/habits/habit/habit.ts'
import { daysChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { completionLimit, habitRows } from '#features/habits/habit/server/habit-rows.ts'
import { writeHabit } from '#features/habits/habit/server/habit-write-store.ts'
import type { HabitRow } from '#features/habits/habit/server/live-habit-store.ts'
import { readSessionsOf } from '#features/habits/past/server/focused-session-store.ts'
import type { UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { isCompletedOn } from '#features/habits/rhythm/day-state.ts'
import { isDoneDay } from '#features/habits/rhythm/habit-track.ts'
import { isSummed, isWeekly, rhythmOn, spanOn, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf } from '#features/habits/rhythm/server/rhythm-store.ts'
import {
  addDays,
  type Day,
  dayFromNumber,
  dayNumber,
  daysFrom,
  type Instant,
} from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { ChangeStamp } from '#platform/database/rows/deletion.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { periodAround, tickDay, untickDay } from './amount-store.ts'

// For each day of a habit, the change with the latest instant wins; its note merges separately (`docs/merging.md`). If the target
// is an amount, the entries decide the amount. The row of the day then only tells when it was last ticked or skipped.

/**
 * Undoing a range of at most this many days also stores the days that were not completed. So a completion that was made earlier
 * but arrives later is ignored.
 */
const longestPeriod = 7

/** The state that a person gives a day. If the target is an amount, 'done' means that the day was ticked. */
type WrittenState = 'done' | 'skipped' | 'none'

/**
 * Undoes today if it is completed, and otherwise completes it. For a weekly habit, undoing covers the whole week. Returns
 * undefined if the habit does not exist or was deleted later.
 */
export async function togglePeriod(
  db: Database,
  user: string,
  id: string,
  stamp: ChangeStamp,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  const { today } = time
  return writeHabit(db, user, id, stamp, time, async (tx, row, _zone, adding) => {
    const { track, period } = await periodAround(tx, row, today, time)
    if (!isCompletedOn(track, today)) return setDay(tx, row, today, 'done', stamp.at, adding, time)
    const { rhythm, target } = spanOn(track.spans, dayNumber(today))
    if (!period || !isWeekly(rhythm, target)) return setDay(tx, row, today, 'none', stamp.at, adding, time)
    const week = { from: dayFromNumber(period.first), to: dayFromNumber(period.last) }
    return undoRange(tx, row, week, stamp.at, adding)
  })
}

/** Sets one day, or toggles it if `completed` is left out. Returns undefined as `togglePeriod` does. */
export async function completeDay(
  db: Database,
  user: string,
  id: string,
  { day, completed, ...stamp }: ChangeStamp & { day: Day; completed?: boolean | undefined },
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, stamp, time, async (tx, row, _zone, adding) => {
    const wanted = completed ?? !(await isTicked(tx, row, day, time))
    return setDay(tx, row, day, wanted ? 'done' : 'none', stamp.at, adding, time)
  })
}

/** Sets the state of a day, its note, or both. Returns undefined as `togglePeriod` does. */
export async function changeDay(
  db: Database,
  user: string,
  id: string,
  {
    day,
    state,
    keepsAmount,
    note,
    ...stamp
  }: ChangeStamp & {
    day: Day
    state?: WrittenState | undefined
    keepsAmount?: boolean | undefined
    note?: string | undefined
  },
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, stamp, time, async (tx, row, _zone, adding) => {
    if (note !== undefined) await storeNote(tx, row, day, note, stamp.at, adding)
    if (state !== undefined) return setDay(tx, row, day, state, stamp.at, adding, time, keepsAmount)
    return habitRows.update(tx, row, { updated_at: row.updated_at }, stamp.at)
  })
}

/** Undoes every completion in a range of at most a year. Returns undefined as `togglePeriod` does. */
export async function undoCompletions(
  db: Database,
  user: string,
  id: string,
  range: DayRange,
  stamp: ChangeStamp,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(db, user, id, stamp, time, (tx, row, _zone, adding) =>
    undoRange(tx, row, range, stamp.at, adding),
  )
}

async function setDay(
  tx: Transaction<Tables>,
  row: HabitRow,
  day: Day,
  state: WrittenState,
  at: Instant,
  adding: Adding,
  time: UserTime,
  keepsAmount = false,
): Promise<HabitRow> {
  // Asked for together, in this order: `before` is the day as it was.
  const [before, rhythms] = await Promise.all([
    storedDay(tx, row, day),
    readRhythmsOf(tx, row),
    storeDays(tx, row, [day], state, at, adding),
  ])
  if (before && changedSince(before.changed_at, at)) {
    const { done, skipped } = columnsOf(state)
    if (before.done !== done || before.skipped !== skipped) keepAsItIs('state')
    return daysChanged(tx, row, [], at)
  }
  const { target } = rhythmOn(rhythms, day)
  if (target !== 'yes') {
    // Taking back a skip keeps the entries, also when the request is sent again.
    const onlyUnskips =
      keepsAmount || before?.skipped === 1 || (before?.changed_at === at && before.done === 0)
    if (state === 'done') await tickDay(tx, adding, row, day, at, time)
    if (state === 'none' && !onlyUnskips) await untickDay(tx, adding, row, day, target, at)
  }
  return daysChanged(tx, row, [day], at)
}

async function undoRange(
  tx: Transaction<Tables>,
  row: HabitRow,
  { from, to }: DayRange,
  at: Instant,
  adding: Adding,
): Promise<HabitRow> {
  const days = daysFrom(from, to)
  if (to < addDays(from, longestPeriod)) await storeDays(tx, row, days, 'none', at, adding)
  else {
    await tx
      .updateTable('completions')
      .set({ done: 0, skipped: 0, changed_at: at })
      .where('user_id', '=', row.user_id)
      .where('habit_id', '=', row.id)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('changed_at', '<=', at)
      .execute()
  }
  if (await hasLaterDay(tx, row, { from, to }, at)) keepAsItIs('state')
  await untickRange(tx, row, { from, to }, at, adding)
  return daysChanged(tx, row, days, at)
}

/** Whether a day of the range was ticked or skipped after `at`. */
async function hasLaterDay(
  tx: Transaction<Tables>,
  row: HabitRow,
  { from, to }: DayRange,
  at: Instant,
): Promise<boolean> {
  const later = await tx
    .selectFrom('completions')
    .select('changed_at')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('changed_at', '>', at)
    .where(({ or, eb }) => or([eb('done', '=', 1), eb('skipped', '=', 1)]))
    .limit(1)
    .executeTakeFirst()
  return later !== undefined && changedSince(later.changed_at, at)
}

/** Takes back the ticks of the days in the range whose target is an amount and that have an entry or a session. */
async function untickRange(
  tx: Transaction<Tables>,
  row: HabitRow,
  { from, to }: DayRange,
  at: Instant,
  adding: Adding,
): Promise<void> {
  const spans = spansOf(await readRhythmsOf(tx, row))
  if (spans.every(({ target }) => target === 'yes')) return
  const range = { from, to }
  const entered = await tx
    .selectFrom('amounts')
    .select('day')
    .distinct()
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('deleted_at', 'is', null)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  const focused = spans.some(({ target }) => isInMinutes(target)) ? await readSessionsOf(tx, row, range) : []
  const yieldPoint = createYieldPoint()
  for (const day of new Set([...entered, ...focused].map(({ day }) => day))) {
    await yieldPoint()
    const { target } = spanOn(spans, dayNumber(day))
    if (target !== 'yes') await untickDay(tx, adding, row, day, target, at)
  }
}

/** Stores the state on those days that have no later change. */
async function storeDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  state: WrittenState,
  at: Instant,
  adding: Adding,
): Promise<void> {
  let wanted = days
  let added = days.length
  if (await adding.isNear(completionLimit, days.length)) {
    const existing = await storedDays(tx, row, days)
    // Near the row limit, undoing days that were never done must not add rows.
    if (state === 'none') wanted = days.filter((day) => existing.has(day))
    added = wanted.length - existing.size
  }
  adding.rows(completionLimit, added)
  if (wanted.length === 0) return
  const columns = { ...columnsOf(state), changed_at: at }
  const [day, another] = wanted
  if (day !== undefined && another === undefined) {
    await storeOneDay(tx, { user: row.user_id, habit: row.id, day, ...columns })
    return
  }
  await tx
    .insertInto('completions')
    .values(wanted.map((day) => ({ user_id: row.user_id, habit_id: row.id, day, ...columns })))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'habit_id', 'day'])
        .doUpdateSet(columns)
        .where('completions.changed_at', '<=', at),
    )
    .execute()
}

type StoredState = ReturnType<typeof columnsOf> & {
  user: string
  habit: string
  day: Day
  changed_at: Instant
}

const storeOneDay = compiledOnce<StoredState>()((db, param) => {
  const columns = { done: param('done'), skipped: param('skipped'), changed_at: param('changed_at') }
  return db
    .insertInto('completions')
    .values({ user_id: param('user'), habit_id: param('habit'), day: param('day'), ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'habit_id', 'day'])
        .doUpdateSet(columns)
        .where('completions.changed_at', '<=', param('changed_at')),
    )
})

function columnsOf(state: WrittenState) {
  return { done: state === 'done' ? 1 : 0, skipped: state === 'skipped' ? 1 : 0 } as const
}

/** Stores a note. If the day has no row yet, its state gets instant 0, so that any change replaces it. */
async function storeNote(
  tx: Transaction<Tables>,
  row: HabitRow,
  day: Day,
  note: string,
  at: Instant,
  adding: Adding,
): Promise<void> {
  const stored = await storedDay(tx, row, day)
  if (!stored) adding.rows(completionLimit, 1)
  else if (changedSince(stored.note_at, at) && stored.note !== note) keepAsItIs('note')
  await tx
    .insertInto('completions')
    .values({
      user_id: row.user_id,
      habit_id: row.id,
      day,
      ...columnsOf('none'),
      changed_at: 0,
      note,
      note_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'habit_id', 'day'])
        .doUpdateSet({ note, note_at: at })
        .where('completions.note_at', '<=', at),
    )
    .execute()
}

/** The days that have a row, whatever their state. */
async function storedDays(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
): Promise<ReadonlySet<Day>> {
  const stored = await tx
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', row.user_id)
    .where('habit_id', '=', row.id)
    .where('day', 'in', days)
    .execute()
  return new Set(stored.map(({ day }) => day))
}

async function storedDay(tx: Transaction<Tables>, { user_id, id }: HabitRow, day: Day) {
  const [stored] = await completionOn(tx, { user: user_id, habit: id, day })
  return stored
}

const completionOn = compiledOnce<{ user: string; habit: string; day: Day }>()((db, param) =>
  db
    .selectFrom('completions')
    .select(['done', 'skipped', 'changed_at', 'note', 'note_at'])
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit'))
    .where('day', '=', param('day')),
)

/** Whether the day itself was ticked. If the target is an amount: whether a tick would have nothing to add. */
async function isTicked(tx: Transaction<Tables>, row: HabitRow, day: Day, time: UserTime): Promise<boolean> {
  const { target } = rhythmOn(await readRhythmsOf(tx, row), day)
  if (target === 'yes') return (await storedDay(tx, row, day))?.done === 1
  const { track } = await periodAround(tx, row, day, time)
  const isOfDay = target.at === 'least' && !isSummed(target)
  return isOfDay ? isDoneDay(track, dayNumber(day), dayNumber(day)) : isCompletedOn(track, day)
}
