import type { Transaction } from 'kysely'
import { type ReadHabitDays, readUpTo, type UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { withStoredSum } from '#features/habits/past/server/habit-summary-store.ts'
import {
  betweenSums,
  type ReadAhead,
  type ReadBudget,
  readBudgetOfOneWrite,
} from '#features/habits/past/server/packed-year-store.ts'
import type { Day } from '#platform/calendar/day.ts'
import { isAmong, listOf } from '#platform/database/among.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { byPosition, newestLast } from '#platform/order/position.ts'
import type { Habit } from '../habit.ts'
import { freshHabit } from './habit-write-store.ts'
import { type HabitRow, liveHabits } from './live-habit-store.ts'
import { showHabit } from './show-habit.ts'

/** Nearly everyone has at most this many habits, which are then read all at once. */
const few = 100
/**
 * Habits per read if there are more than `few`. Other requests are served between two reads, however long the descriptions are.
 */
const readAtOnce = 10
/** The most entries and sessions per read. */
const entriesAtOnce = 5_000
/** Habits per write; more would hold up other writes. */
const writtenAtOnce = 10

/** The habits in their order, without deleted ones: all at once, or in batches if there are many habits or many entries. */
export async function* listHabits(db: Database, user: string, time: UserTime): AsyncGenerator<Habit[]> {
  const all = await db.snapshot(async (tx) => {
    const rows = await firstHabits(tx, { user, limit: few + 1 })
    if (rows.length > few) return undefined
    return readRows(tx, user, inOrder(rows), time, { few: false, most: entriesAtOnce })
  })
  if (all) {
    yield* showRows(db, user, all, time)
    return
  }

  const ids = await listIds(db, user)
  for (let next = 0, count = readAtOnce; next < ids.length; ) {
    const batch = ids.slice(next, next + count)
    const read = await db.snapshot(async (tx) => {
      const rows = await liveHabits(tx, user).selectAll().where('id', 'in', batch).execute()
      // A single habit is read without a limit: the number of entries per day is limited anyway.
      const most = count > 1 ? entriesAtOnce : undefined
      return readRows(tx, user, inOrder(rows), time, { few: true, most })
    })
    if (!read) {
      count = 1
      continue
    }
    yield* showRows(db, user, read, time)
    next += count
    count = readAtOnce
    await betweenStretches()
  }
}

/**
 * Those of these habits that are not deleted, in their order, as `listHabits` yields them. Undefined if they have too many entries
 * to read at once.
 */
export async function listHabitsAmong(
  db: Database,
  user: string,
  ids: readonly string[],
  time: UserTime,
): Promise<Habit[] | undefined> {
  if (ids.length === 0) return []
  if (ids.length > few) return undefined
  const read = await db.snapshot(async (tx) => {
    const rows = await habitsAmong(tx, { user, ids: listOf(tx, ids) })
    return readRows(tx, user, inOrder(rows), time, { few: true, most: entriesAtOnce })
  })
  return read && (await Array.fromAsync(showRows(db, user, read, time))).flat()
}

const habitsAmong = compiledOnce<{ user: string; ids: ReturnType<typeof listOf> }>()((db, param) =>
  db
    .selectFrom('habits')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where(isAmong(db, 'id', param('ids')))
    .where('deleted_at', 'is', null),
)

const firstHabits = compiledOnce<{ user: string; limit: number }>()((db, param) =>
  db
    .selectFrom('habits')
    .selectAll()
    .where('user_id', '=', param('user'))
    .where('deleted_at', 'is', null)
    .limit(param('limit')),
)

/**
 * Until somebody moves a habit, its position follows from when it was created. Sorts in code: databases sort text by language
 * rules, but positions compare by character codes.
 */
function inOrder<Row extends Pick<HabitRow, 'id' | 'position' | 'created_at'>>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => {
      const { id, position, created_at } = row
      return { row, id, position: position ?? newestLast({ id, created: created_at }) }
    })
    .sort(byPosition)
    .map(({ row }) => row)
}

/**
 * Sums up the habits' earlier days, then yields the habits. Rarely needed: after an import, or after the week start changed. Uses
 * short writes, so that other writes run in between.
 */
async function* sumUpAndShow(
  db: Database,
  user: string,
  ids: readonly string[],
  time: UserTime,
): AsyncGenerator<Habit[]> {
  const ahead: ReadAhead = new Map()
  for (let next = 0; next < ids.length; ) {
    const batch = ids.slice(next, next + writtenAtOnce)
    const budget = readBudgetOfOneWrite(ahead)
    const { shown, reached } = await db.write((tx) => showSome(tx, user, batch, time, budget), user)
    yield shown
    next += reached
    await betweenSums(db, budget)
  }
}

/** As many of the habits as one write has time for. `reached` is how many of `ids` were handled. */
async function showSome(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
  time: UserTime,
  budget: ReadBudget,
): Promise<{ shown: Habit[]; reached: number }> {
  // Every write locks habits in the same order, so that two writes never deadlock.
  const rows = await liveHabits(tx, user)
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const yieldPoint = createYieldPoint()
  const shown: Habit[] = []
  for (const [place, id] of ids.entries()) {
    const row = byId.get(id)
    if (!row) continue
    await yieldPoint()
    const habit = budget.left > 0 ? await freshHabit(tx, row, time, budget) : undefined
    if (!habit) return { shown, reached: place }
    shown.push(habit)
  }
  return { shown, reached: ids.length }
}

async function listIds(db: Database, user: string): Promise<string[]> {
  const rows = await liveHabits(db.read, user).select(['id', 'position', 'created_at']).execute()
  return inOrder(rows).map(({ id }) => id)
}

interface ReadRows {
  rows: readonly HabitRow[]
  /** Empty if the earlier days of a habit must be summed up first. */
  days: ReadonlyMap<string, ReadHabitDays>
}

/**
 * Undefined if the days have too many entries to read at once. With `few`, only these habits are looked up, instead of reading
 * all of the person's habits.
 */
async function readRows(
  tx: Transaction<Tables>,
  user: string,
  rows: readonly HabitRow[],
  time: UserTime,
  { few, most }: { few: boolean; most?: number | undefined },
): Promise<ReadRows | undefined> {
  const from = earliestOf(rows, time.today)
  if (from === undefined || rows.length === 0) return { rows, days: new Map() }
  const days = await readUpTo(tx, user, rows, { from }, time, { few, most })
  return days && { rows, days }
}

async function* showRows(
  db: Database,
  user: string,
  { rows, days }: ReadRows,
  time: UserTime,
): AsyncGenerator<Habit[]> {
  const shown: Habit[] = []
  const yieldPoint = createYieldPoint()
  for (const row of rows) {
    await yieldPoint()
    const read = days.get(row.id)
    const summed = read && withStoredSum(row, read, time.today)
    if (!summed) break
    shown.push(showHabit(row, summed, time.today))
  }
  if (shown.length === rows.length) yield shown
  else
    yield* sumUpAndShow(
      db,
      user,
      rows.map(({ id }) => id),
      time,
    )
}

/** Where the earliest sum ends; undefined if a habit has no sum. */
function earliestOf(rows: readonly HabitRow[], today: Day): Day | undefined {
  let earliest = today
  for (const { earlier_from } of rows) {
    if (earlier_from === null) return undefined
    if (earlier_from < earliest) earliest = earlier_from
  }
  return earliest
}
