import type { Transaction } from 'kysely'
import type { UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { withFreshSum } from '#features/habits/past/server/habit-summary-store.ts'
import {
  betweenSums,
  type ReadAhead,
  type ReadBudget,
  readBudgetOfOneWrite,
} from '#features/habits/past/server/packed-year-store.ts'
import { setHabitAlarm } from '#features/habits/reminder/server/habit-reminder-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { rowsChanged } from '#platform/database/revisions/changed-rows.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import {
  acceptsChange,
  type ChangeStamp,
  restorationOf,
  revivalOf,
} from '#platform/database/rows/deletion.ts'
import { changedSince } from '#platform/database/rows/later-changes.ts'
import { type Adding, writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { habitRows } from './habit-rows.ts'
import { type HabitRow, lockHabit } from './live-habit-store.ts'
import { showHabit } from './show-habit.ts'

// Locks the row of a habit while a write changes it.

/**
 * Changes a habit while it is locked. If the habit was deleted before the change, the change restores it. If it was deleted
 * later, the change is stored for a later restoration. Returns the changed habit, or undefined if it does not exist or stays
 * deleted.
 */
export async function writeHabit(
  db: Database,
  user: string,
  id: string,
  stamp: ChangeStamp & { needsZone?: boolean },
  time: UserTime,
  change: (
    tx: Transaction<Tables>,
    row: HabitRow,
    zone: string | undefined,
    adding: Adding,
  ) => Promise<HabitRow>,
): Promise<Habit | undefined | TooManyRows> {
  let needsZone = stamp.needsZone ?? false
  const write = () =>
    writeWithinLimits(db, user, [habitRows.collection], async (tx, adding) => {
      rowsChanged(tx, habitRows.collection, [id])
      // Lock the zone before the habit, as everywhere: two writes that lock in different orders would deadlock.
      const zone = needsZone ? await time.zoneIn(tx) : undefined
      const row = await habitRows.lock(tx, user, id)
      if (!row || !acceptsChange(row, stamp)) return undefined
      changedSince(row.updated_at, stamp.at)
      changedSince(row.deletion_changed_at, stamp.at)
      const revives = revivalOf(row, stamp).deleted_at === null
      needsZone ||= revives
      if (revives && zone === undefined) return undefined
      const changed = await change(
        tx,
        revives && zone ? await revive(tx, row, stamp.at, zone, time) : row,
        zone,
        adding,
      )
      if (changed.deleted_at !== null) return undefined
      return (await freshHabit(tx, changed, time, readBudgetOfOneWrite())) ?? unsummed
    })
  const hadZone = needsZone
  const written = await write()
  // Only now is it known that the habit is restored and the zone is needed. That is rare, so write again with the zone locked.
  const last = needsZone === hadZone ? written : await write()
  return last === unsummed ? summedHabit(db, user, id, time) : last
}

/** Marks a habit with too many earlier days to sum up in one write. */
const unsummed = 'unsummed'

/**
 * Sums up the habit's earlier days, a few thousand in each write, and returns it. Undefined if it does not exist or is deleted.
 */
export async function summedHabit(
  db: Database,
  user: string,
  id: string,
  time: UserTime,
): Promise<Habit | undefined> {
  for (const ahead: ReadAhead = new Map(); ; ) {
    const budget = readBudgetOfOneWrite(ahead)
    const habit = await db.write(async (tx) => {
      const row = await lockHabit(tx, user, id)
      return row && ((await freshHabit(tx, row, time, budget)) ?? unsummed)
    }, user)
    if (habit !== unsummed) return habit
    await betweenSums(db, budget)
  }
}

/** Restores a habit that was deleted before `at`, and sets its reminder again. */
async function revive(
  tx: Transaction<Tables>,
  row: HabitRow,
  at: Instant,
  zone: string,
  time: UserTime,
): Promise<HabitRow> {
  const restored = await habitRows.update(tx, row, restorationOf(row, at), at)
  const isBack = row.deleted_at !== null && restored.deleted_at === null
  if (isBack) await setHabitAlarm(tx, restored, zone, time.now)
  return restored
}

/**
 * The habit as it is sent, with its earlier days summed up again if necessary. Undefined if the budget was not enough for that:
 * the next write then continues.
 */
export async function freshHabit(
  tx: Transaction<Tables>,
  row: HabitRow,
  time: UserTime,
  budget: ReadBudget,
): Promise<Habit | undefined> {
  const summed = await withFreshSum(tx, row, time, budget)
  return summed && showHabit(row, summed, time.today)
}
