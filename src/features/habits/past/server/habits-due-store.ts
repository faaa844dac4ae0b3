import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { isCompletedOn } from '#features/habits/rhythm/day-state.ts'
import { isPaused, pausedRanges, trackOf } from '#features/habits/rhythm/habit-track.ts'
import {
  frequencyOf,
  isPlainDaily,
  isSummed,
  longestPeriod,
  type RhythmRow,
  type RhythmSpan,
  rhythmOn,
  spansOf,
} from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsByHabit } from '#features/habits/rhythm/server/rhythm-store.ts'
import { addDays, type Day, dayNumber, daysFrom } from '#platform/calendar/day.ts'
import { firstOfMonth, lastOfMonth } from '#platform/calendar/month.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { countedDays, type DayOfHabits } from '../due-by-day.ts'
import type { HabitsDue } from '../habits-due.ts'
import {
  type HabitOfDays,
  isDone,
  isSkipped,
  type PauseOfHabits,
  readFirstEntries,
  readHabitDays,
  readPauses,
  readUpTo,
  startDayOf,
  type UserTime,
} from './habit-days-store.ts'

// To count many habits over many days, one short range of days (a stretch) is read at a time. Other requests are served in
// between: on SQLite, reading everything at once would make them wait too long. Each stretch is a consistent snapshot. A change
// between two stretches makes a new revision of the user's data, so the client sends the request again.

/** Habits times days per read, which takes a few milliseconds. */
const readAtOnce = 7_000
/** Entries and sessions per read. */
const entriesAtOnce = 5_000
/** Habits times days per response. */
const returnedAtOnce = 20_000
/** Names per read: few enough that little is in memory at once, however long the names are. */
const namesAtOnce = 100

/** A habit with its rhythms, which decide how many days around a stretch must be read. */
interface HabitWithRhythms extends HabitOfDays {
  rows: readonly RhythmRow[]
  spans: readonly RhythmSpan[]
}

/** Habits, and all of the person's pauses. */
interface HabitsAndPauses {
  habits: readonly HabitWithRhythms[]
  pauses: readonly PauseOfHabits[]
}

type Calendar = Pick<UserTime, 'today' | 'weekStart' | 'dayAt'>

/** How often habits were due and completed on each day of a range, all habits together. */
export async function completedHabits(
  db: Database,
  user: string,
  range: DayRange,
  time: Calendar,
): Promise<DayOfHabits[]> {
  const { habits, pauses } = await countedHabits(db, user, { inOrder: false })
  const days = new Map(
    daysFrom(range.from, range.to).map((day): [Day, DayOfHabits] => [day, { day, completed: 0, due: 0 }]),
  )
  function add({ day, completed, due }: DayOfHabits) {
    const sum = days.get(day)
    if (!sum) return
    sum.completed += completed
    sum.due += due
  }
  const { daily = [], others = [] } = Object.groupBy(habits, (habit) =>
    isPlainDaily(habit.spans) && habit.archived_at === null ? 'daily' : 'others',
  )
  for (const stretch of stretchesOf(range, daily.length, readAtOnce, time.weekStart)) {
    if (daily.length === 0) break
    const { counted, alone } = await dailyInStretch(db, user, { habits: daily, pauses }, stretch, time)
    counted.forEach(add)
    const each = await countedInStretch(db, user, { habits: alone, pauses }, stretch, time)
    for (const { counted } of each) counted.forEach(add)
    await betweenStretches()
  }
  for await (const { counted } of countedInStretches(db, user, { habits: others, pauses }, range, time)) {
    counted.forEach(add)
  }
  return [...days.values()]
}

/**
 * Lets the database count the habits that are due every day, all together. Habits with a pause of their own, or with done days
 * before their start, are returned in `alone`, to be counted one by one.
 */
async function dailyInStretch(
  db: Database,
  user: string,
  { habits, pauses: all }: HabitsAndPauses,
  { from, to }: DayRange,
  { today }: Calendar,
): Promise<{ counted: DayOfHabits[]; alone: HabitWithRhythms[] }> {
  return db.snapshot(async (tx) => {
    const pauses = pausesWithin(all, { from, to })
    const ownPauses = new Set(pauses.map(({ habit_id }) => habit_id))
    const early = await doneBeforeTheirStart(tx, user, habits, { from, to })
    const { alone = [], others = [] } = Object.groupBy(habits, ({ id }) =>
      ownPauses.has(id) || early.has(id) ? 'alone' : 'others',
    )
    const startDays = new Map(others.map((habit) => [habit.id, startDayOf(habit, undefined)]))
    const done = await tx
      .selectFrom('completions')
      .select(({ fn }) => ['day', fn.countAll<number>().as('count')])
      .where('user_id', '=', user)
      .where(isDone)
      .where('day', '>=', from)
      .where('day', '<=', to)
      // Excludes the other habits and deleted ones. With a list of the habits to count, the database would look up each of them.
      .where('habit_id', 'not in', (left) =>
        left
          .selectFrom('habits')
          .select('id')
          .where('user_id', '=', user)
          .where('id', 'not in', [...startDays.keys(), '']),
      )
      .groupBy('day')
      .execute()
    const skipped = await tx
      .selectFrom('completions')
      .select(['habit_id', 'day'])
      .where('user_id', '=', user)
      .where(isSkipped)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .execute()
    const completedOn = new Map(done.map(({ day, count }) => [day, count]))
    const skipsOn = Map.groupBy(
      skipped.filter(({ habit_id, day }) => (startDays.get(habit_id) ?? tooLate) <= day),
      ({ day }) => day,
    )
    const ofAll = { pauses: pausedRanges(pauses.filter(({ habit_id }) => habit_id === null)) }
    const counted = begunByDay([...startDays.values()], { from, to }).map(({ day, begun }): DayOfHabits => {
      const completed = completedOn.get(day) ?? 0
      // After a flight west, a day that has not begun here may already be done.
      if (day > today || isPaused(ofAll, dayNumber(day))) return { day, completed, due: completed }
      return { day, completed, due: begun - (skipsOn.get(day)?.length ?? 0) }
    })
    return { counted, alone }
  })
}

/** The habits that were done on these days before their start, which was chosen later. Each habit is looked up on its own. */
async function doneBeforeTheirStart(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly HabitWithRhythms[],
  { from, to }: DayRange,
): Promise<ReadonlySet<string>> {
  const begun = habits.filter((habit) => startDayOf(habit, undefined) > from)
  const early = new Set<string>()
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(begun.map(({ id }) => id))) {
    await yieldPoint()
    const rows = await tx
      .selectFrom('habits')
      .select('habits.id')
      .where('habits.user_id', '=', user)
      .where('habits.id', 'in', batch)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('completions')
            .select('completions.day')
            .whereRef('completions.user_id', '=', 'habits.user_id')
            .whereRef('completions.habit_id', '=', 'habits.id')
            .where(isDone)
            .where('completions.day', '>=', from)
            .where('completions.day', '<=', to)
            .where((eb) =>
              eb('completions.day', '<', eb.fn.coalesce('habits.first_entry_day', 'habits.start_day')),
            ),
        ),
      )
      .execute()
    for (const { id } of rows) early.add(id)
  }
  return early
}

/** Later than any day. */
const tooLate = '9999-12-31' as Day

/** Each day of the range, with the number of habits that had begun by then. */
function begunByDay(startDays: readonly Day[], range: DayRange): { day: Day; begun: number }[] {
  const inOrder = startDays.toSorted()
  let begun = 0
  return daysFrom(range.from, range.to).map((day) => {
    while (begun < inOrder.length && (inOrder[begun] ?? day) <= day) begun += 1
    return { day, begun }
  })
}

interface HabitInStretch {
  habit: HabitWithRhythms
  /** The days of a stretch on which the habit counts. */
  counted: DayOfHabits[]
}

/**
 * Yields the days of a range on which habits count, by habit and stretch. Periods are read whole at both ends of a stretch, so
 * long periods mean many additional days. Habits with long periods are read a few at a time, to keep the stretches longer than
 * these additional days.
 */
async function* countedInStretches(
  db: Database,
  user: string,
  { habits, pauses }: HabitsAndPauses,
  range: DayRange,
  time: Calendar,
): AsyncGenerator<HabitInStretch> {
  const inOrder = habits.toSorted((a, b) => longestPeriod(a.spans) - longestPeriod(b.spans))
  for (let next = 0; next < inOrder.length; ) {
    let group = inOrder.slice(next)
    while (group.length * 4 * longestPeriod(group.at(-1)?.spans ?? []) > readAtOnce && group.length > 1) {
      group = group.slice(0, Math.ceil(group.length / 2))
    }
    next += group.length
    for (const stretch of stretchesOf(range, group.length, readAtOnce, time.weekStart)) {
      yield* await countedInStretch(db, user, { habits: group, pauses }, stretch, time)
      await betweenStretches()
    }
  }
}

async function countedInStretch(
  db: Database,
  user: string,
  { habits, pauses: all }: HabitsAndPauses,
  range: DayRange,
  time: Calendar,
): Promise<HabitInStretch[]> {
  if (habits.length === 0) return []
  const around = Math.max(...habits.map(({ spans }) => longestPeriod(spans))) - 1
  const window = { from: addDays(range.from, -around), to: addDays(range.to, around) }
  const isShort = range.from === range.to
  const whole = await db.snapshot(async (tx) => {
    const pauses = pausesWithin(all, window)
    const most = isShort ? undefined : entriesAtOnce
    const read = await readUpTo(tx, user, habits, window, time, { few: true, most, pauses })
    if (!read) return undefined
    const limits = habits.filter(hasLimit).flatMap(({ id, rows }) => {
      const days = read.get(id)?.days
      return days ? [{ id, rows, startDay: days.startDay }] : []
    })
    const firstEntries = await readFirstEntries(tx, user, limits)
    return habits.flatMap((habit) => {
      const days = read.get(habit.id)?.days
      if (!days) return []
      const track = trackOf(days, firstEntries.get(habit.id))
      return [{ habit, counted: countedDays(track, range, time.today) }]
    })
  })
  if (whole) return whole
  // These days have too many entries for one read, so read each half on its own.
  const middle = addDays(range.from, Math.floor((dayNumber(range.to) - dayNumber(range.from)) / 2))
  const halves = [
    { from: range.from, to: middle },
    { from: addDays(middle, 1), to: range.to },
  ]
  const found: HabitInStretch[] = []
  for (const half of halves) {
    await betweenStretches()
    found.push(...(await countedInStretch(db, user, { habits, pauses: all }, half, time)))
  }
  return found
}

function hasLimit({ spans }: HabitWithRhythms): boolean {
  return spans.some(({ target }) => target !== 'yes' && target.at === 'most')
}

/**
 * The pauses that touch a range. An account may have thousands of pauses, nearly all on other days, and each habit would have to
 * sort them all again.
 */
function pausesWithin(pauses: readonly PauseOfHabits[], { from, to }: DayRange): PauseOfHabits[] {
  return pauses.filter(({ from_day, to_day }) => from_day <= to && (to_day === null || to_day >= from))
}

/** Reads all habits, oldest first if `inOrder` is set. */
async function countedHabits(
  db: Database,
  user: string,
  { inOrder }: { inOrder: boolean },
): Promise<HabitsAndPauses> {
  return db.snapshot(async (tx) => {
    const habits = await tx
      .selectFrom('habits')
      .select(['id', 'start_day', 'first_entry_day', 'archived_at'])
      .where('user_id', '=', user)
      .where('deleted_at', 'is', null)
      // Without an order, the database needs to read only an index.
      .$if(inOrder, (query) => query.orderBy('created_at').orderBy('id'))
      .execute()
    return { habits: await withRhythms(tx, user, habits), pauses: await readPauses(tx, user) }
  })
}

async function withRhythms(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly HabitOfDays[],
): Promise<HabitWithRhythms[]> {
  const rhythms = await readRhythmsByHabit(tx, user)
  return habits.map((habit) => {
    const rows = rhythms.get(habit.id) ?? []
    return { ...habit, rows, spans: spansOf(rows) }
  })
}

/**
 * Splits a range into stretches in which `habits` times the number of days is at most `most`. Stretches end with a week where
 * possible, since a split week is read twice.
 */
function* stretchesOf(
  range: DayRange,
  habits: number,
  most: number,
  weekStart: WeekStart,
): Generator<DayRange> {
  const days = Math.max(1, Math.floor(most / Math.max(1, habits)))
  for (let from = range.from; from <= range.to; ) {
    const last = addDays(from, days - 1)
    const weekEnd = addDays(firstDayOfWeek(weekNumber(addDays(last, 1), weekStart), weekStart), -1)
    const end = weekEnd < from ? last : weekEnd
    const to = last >= range.to ? range.to : end
    yield { from, to }
    from = addDays(to, 1)
  }
}

/** `names` is undefined if the client already has them. */
interface DuePage {
  page: Omit<HabitsDue, 'habits'>
  names: AsyncIterable<NamedHabit[]> | undefined
}

type NamedHabit = NonNullable<HabitsDue['habits']>[number]

/**
 * The habits that were due on each day of a range, oldest first, and whether each was completed. A habit that was due several
 * times on a day is listed as often. With many habits, the page covers only the first days and says where to continue. It
 * contains the names of all habits, unless the client already has the list `knownList`.
 */
export async function dueHabits(
  db: Database,
  user: string,
  range: DayRange,
  knownList: string | undefined,
  time: Calendar,
): Promise<DuePage> {
  const { habits, pauses } = await countedHabits(db, user, { inOrder: true })
  const placeOf = new Map(habits.map(({ id }, place) => [id, place]))
  const [page = range] = stretchesOf(range, habits.length, returnedAtOnce, time.weekStart)
  const days = new Map(
    daysFrom(page.from, page.to).map((day) => [
      day,
      { day, completed: [] as number[], missed: [] as number[] },
    ]),
  )
  for await (const { habit, counted } of countedInStretches(db, user, { habits, pauses }, page, time)) {
    const place = placeOf.get(habit.id) ?? 0
    for (const { day, completed, due } of counted) {
      const ofDay = days.get(day)
      for (let time = 0; time < due; time += 1)
        (time < completed ? ofDay?.completed : ofDay?.missed)?.push(place)
    }
  }
  for (const { completed, missed } of days.values()) {
    completed.sort((a, b) => a - b)
    missed.sort((a, b) => a - b)
  }
  const named = habits.map(({ id, rows }) => {
    const { rhythm, target } = rhythmOn(rows, time.today)
    return { id, frequency: frequencyOf(rhythm, target) }
  })
  const list = tagOf(named)
  return {
    page: { list, days: [...days.values()], next: page.to < range.to ? addDays(page.to, 1) : null },
    names: list === knownList ? undefined : namesOf(db, user, named),
  }
}

type HabitToName = Omit<NamedHabit, 'name'>

/** A tag that stays the same as long as every habit keeps its place. */
function tagOf(habits: readonly HabitToName[]): string {
  const places = habits.map(({ id, frequency }) => `${id} ${frequency}`).join()
  return createHash('sha256').update(places).digest('base64url').slice(0, 22)
}

/**
 * Yields the names in the order of the habits' places. A habit that is permanently deleted in the meantime keeps its place, with
 * an empty name.
 */
async function* namesOf(
  db: Database,
  user: string,
  habits: readonly HabitToName[],
): AsyncGenerator<NamedHabit[]> {
  for (let next = 0; next < habits.length; next += namesAtOnce) {
    const some = habits.slice(next, next + namesAtOnce)
    const rows = await db.read
      .selectFrom('habits')
      .select(['id', 'name'])
      .where('user_id', '=', user)
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
    const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
    yield some.map(({ id, frequency }) => ({ id, name: nameOf.get(id) ?? '', frequency }))
  }
}

/** How many habits are completed today or in their current period, and how many are not archived. */
export async function countCompletedHabits(
  db: Database,
  user: string,
  time: Calendar,
): Promise<{ count: number; total: number }> {
  return db.snapshot(async (tx) => {
    const rows = await tx
      .selectFrom('habits')
      .select(['id', 'start_day', 'first_entry_day', 'archived_at'])
      .where('user_id', '=', user)
      .where('deleted_at', 'is', null)
      .where('archived_at', 'is', null)
      .execute()
    const habits = await withRhythms(tx, user, rows)
    const range = completedWithin(habits, time)
    const pauses = pausesWithin(await readPauses(tx, user), range)
    const read = await readHabitDays(tx, user, habits, range, time, { pauses })
    const completed = habits.filter(({ id }) => {
      const days = read.get(id)?.days
      return days && isCompletedOn(trackOf(days), time.today)
    })
    return { count: completed.length, total: habits.length }
  })
}

/** The days that decide whether habits are completed today: the week, and also the month if an amount is summed over it. */
function completedWithin(habits: readonly HabitWithRhythms[], { today, weekStart }: Calendar): DayRange {
  const week = firstDayOfWeek(weekNumber(today, weekStart), weekStart)
  const [weekEnd, month, monthEnd] = [addDays(week, 6), firstOfMonth(today), lastOfMonth(today)]
  const hasMonth = habits.some(({ rows }) => {
    const { target } = rhythmOn(rows, today)
    return isSummed(target) && target.per === 'month'
  })
  if (!hasMonth) return { from: week, to: weekEnd }
  return { from: week < month ? week : month, to: weekEnd > monthEnd ? weekEnd : monthEnd }
}
