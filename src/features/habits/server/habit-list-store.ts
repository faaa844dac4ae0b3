import { setImmediate } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { byPosition } from '#platform/order/position.ts'
import type { Habit } from '../habit.ts'
import { withStoredSum } from './earlier-store.ts'
import type { UserTime } from './habit-days-store.ts'
import { readHabitDays } from './habit-days-store.ts'
import { placeOf } from './habit-position-store.ts'
import { freshHabit, type HabitRow, liveRows } from './habit-row-store.ts'
import { showHabit } from './show-habit.ts'
import { readBudgetOfOneWrite } from './year-store.ts'

/** Nearly everybody has at most this many habits: they are read all at once. */
const few = 100
/** With more than that: few enough that other requests are served between two reads, however long the descriptions are. */
const readAtOnce = 10
/** More would hold up other writes. */
const writtenAtOnce = 10

/** In their order, without the deleted ones: all at once, or in batches if there are many. */
export async function* listHabits(db: Database, user: string, time: UserTime): AsyncGenerator<Habit[]> {
  const first = await db.snapshot(async (tx) => {
    const rows = await liveRows(tx, user)
      .limit(few + 1)
      .execute()
    if (rows.length > few) return 'many'
    const ordered = inOrder(rows)
    return { ids: ordered.map(({ id }) => id), shown: await showRows(tx, user, ordered, time) }
  })
  if (first !== 'many') {
    if (first.shown) yield first.shown
    else yield* sumUpAndShow(db, user, first.ids, time)
    return
  }

  const ids = await listIds(db, user)
  for (let next = 0; next < ids.length; next += readAtOnce) {
    const batch = ids.slice(next, next + readAtOnce)
    const shown = await db.snapshot(async (tx) => {
      const rows = await liveRows(tx, user).where('id', 'in', batch).execute()
      return showRows(tx, user, inOrder(rows), time, { few: true })
    })
    if (shown) yield shown
    else yield* sumUpAndShow(db, user, batch, time)
    await setImmediate()
  }
}

/** Databases sort text by the rules of a language, positions go by their characters. */
function inOrder<Row extends Pick<HabitRow, 'id' | 'position' | 'created_at'>>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, ...placeOf(row) }))
    .sort(byPosition)
    .map(({ row }) => row)
}

/** Rarely needed: after an import, or after the week start changed. In short writes, so that other writes run in between. */
async function* sumUpAndShow(
  db: Database,
  user: string,
  ids: readonly string[],
  time: UserTime,
): AsyncGenerator<Habit[]> {
  for (let next = 0; next < ids.length; ) {
    const batch = ids.slice(next, next + writtenAtOnce)
    const { shown, reached } = await db.write((tx) => showSome(tx, user, batch, time))
    yield shown
    next += reached
    await setImmediate()
  }
}

/** As many of them as one write has time for, and how many those are. */
async function showSome(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
  time: UserTime,
): Promise<{ shown: Habit[]; reached: number }> {
  // Everyone locks in the same order, so that two writes to the same habits never deadlock.
  const rows = await liveRows(tx, user).where('id', 'in', ids).orderBy('id').forUpdate().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const budget = readBudgetOfOneWrite()
  const shown: Habit[] = []
  for (const [place, id] of ids.entries()) {
    const row = byId.get(id)
    if (!row) continue
    const habit = budget.left > 0 ? await freshHabit(tx, row, time, budget) : undefined
    if (!habit) return { shown, reached: place }
    shown.push(habit)
  }
  return { shown, reached: ids.length }
}

async function listIds(db: Database, user: string): Promise<string[]> {
  const rows = await db.read
    .selectFrom('habits')
    .select(['id', 'position', 'created_at'])
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .execute()
  return inOrder(rows).map(({ id }) => id)
}

/** Undefined if the earlier days of one of them have to be summed up first. `few`: of many habits, only these are read. */
async function showRows(
  tx: Transaction<Tables>,
  user: string,
  rows: readonly HabitRow[],
  time: UserTime,
  some: { few?: boolean } = {},
): Promise<Habit[] | undefined> {
  const from = earliestOf(rows, time.today)
  if (from === undefined) return undefined
  const read = await readHabitDays(tx, user, rows, { from }, time, some)
  const shown: Habit[] = []
  for (const row of rows) {
    const days = read.get(row.id)
    const summed = days && withStoredSum(row, days, time.today)
    if (!summed) return undefined
    shown.push(showHabit(row, summed, time.today))
  }
  return shown
}

/** The end of the earliest sum; undefined if one of them has none. */
function earliestOf(rows: readonly HabitRow[], today: Day): Day | undefined {
  let earliest = today
  for (const { earlier_from } of rows) {
    if (earlier_from === null) return undefined
    if (earlier_from < earliest) earliest = earlier_from
  }
  return earliest
}
