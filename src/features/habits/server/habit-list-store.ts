import { setImmediate } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { type Earlier, rhythmOf } from '../streak.ts'
import { isDone } from './done-days-store.ts'
import { earlierOf } from './earlier-store.ts'
import { freshHabit, type HabitRow, liveRows, type UserTime } from './habit-row-store.ts'
import { showHabit } from './show-habit.ts'
import { readBudgetOfOneWrite } from './year-store.ts'

/** Nearly everybody has at most this many habits: they are read all at once. */
const few = 100
/** With more than that: few enough that other requests are served between two reads, however long the descriptions are. */
const readAtOnce = 10
/** More would hold up other writes. */
const writtenAtOnce = 10

/** Oldest first, without the deleted ones: all at once, or in batches if there are many. */
export async function* listHabits(db: Database, user: string, time: UserTime): AsyncGenerator<Habit[]> {
  const first = await db.snapshot(async (tx) => {
    const rows = await liveRows(tx, user)
      .limit(few + 1)
      .execute()
    if (rows.length > few) return 'many'
    return { ids: rows.map(({ id }) => id), shown: await showRows(tx, user, rows, time) }
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
      return showRows(tx, user, rows, time, batch)
    })
    if (shown) yield shown
    else yield* sumUpAndShow(db, user, batch, time)
    await setImmediate()
  }
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
  const rows = await liveRows(tx, user)
    .where('id', 'in', ids)
    .clearOrderBy()
    .orderBy('id')
    .forUpdate()
    .execute()
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
    .select('id')
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Undefined if the earlier completions of one of them have to be summed up first. */
async function showRows(
  tx: Transaction<Tables>,
  user: string,
  rows: readonly HabitRow[],
  time: UserTime,
  ids?: readonly string[],
): Promise<Habit[] | undefined> {
  const summed: { row: HabitRow; earlier: Earlier }[] = []
  for (const row of rows) {
    const earlier = earlierOf(row, rhythmOf(row, time), time.today)
    if (!earlier) return undefined
    summed.push({ row, earlier })
  }
  // One range of one index for all habits. With a separate start day for each habit, the query would walk through years of
  // completions.
  const completions = await tx
    .selectFrom('completions')
    .select(['habit_id', 'day'])
    .where('user_id', '=', user)
    .where('day', '>=', earliestOf(summed, time.today))
    .where(isDone)
    .$if(ids !== undefined, (query) => query.where('habit_id', 'in', ids ?? []).orderBy('habit_id'))
    .orderBy('day')
    .execute()
  const byHabit = Map.groupBy(completions, ({ habit_id }) => habit_id)
  return summed.map(({ row, earlier }) => {
    const days = (byHabit.get(row.id) ?? []).map(({ day }) => day).filter((day) => day >= earlier.from)
    return showHabit(row, days, earlier, time)
  })
}

function earliestOf(summed: readonly { earlier: Earlier }[], today: Day): Day {
  return summed.reduce((earliest, { earlier: { from } }) => (from < earliest ? from : earliest), today)
}
