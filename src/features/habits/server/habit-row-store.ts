import { setImmediate } from 'node:timers/promises'
import type { Selectable, Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { type Made, restorationOf, revivalOf, takesChange } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type Adding, writeWithinLimits } from '#platform/database/write-within-limits.ts'
import type { Habit } from '../habit.ts'
import { rhythmOf } from '../streak.ts'
import { daysSince, sumUpAgain } from './earlier-store.ts'
import { setHabitAlarm } from './habit-reminder-store.ts'
import { showHabit } from './show-habit.ts'
import { type Effort, effortOfOneWrite } from './year-store.ts'

// The row of a habit while it is changed, whatever it is that changes it.

export type HabitRow = Selectable<Tables['habits']>

/** What 'today' and 'this week' mean for the user. */
export interface UserTime {
  today: Day
  weekStart: WeekStart
  /** From when on to remind, */
  now: Instant
  /** and in which zone, as nobody can change it until the write ends. */
  zoneIn(tx: Transaction<Tables>): Promise<string>
}

/** The habit as nobody else can change it until the write ends; undefined when it is not there or deleted. */
export async function lockHabit(
  tx: Transaction<Tables>,
  user: string,
  id: string,
): Promise<HabitRow | undefined> {
  return liveRows(tx, user).where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Makes a change to a habit, as nobody else can change it until the write ends. Where it was deleted before that change it
 * lives again; where it was deleted later the change is stored all the same, for whatever brings it back. Answers the habit
 * as it is then, or undefined when it is not there, or deleted for this change.
 */
export async function writeHabit(
  db: Database,
  user: string,
  id: string,
  made: Made & { needsZone?: boolean },
  time: UserTime,
  change: (
    tx: Transaction<Tables>,
    row: HabitRow,
    zone: string | undefined,
    adding: Adding,
  ) => Promise<HabitRow>,
): Promise<Habit | undefined | TooManyRows> {
  let needsZone = made.needsZone ?? false
  const write = () =>
    writeWithinLimits(db, user, ['habits'], async (tx, adding) => {
      // Before the habit, as everywhere: two that lock the same in two orders wait for each other.
      const zone = needsZone ? await time.zoneIn(tx) : undefined
      const row = await anyHabit(tx, user, id)
      if (!row || !takesChange(row, made)) return undefined
      const revives = revivalOf(row, made).deleted_at === null
      needsZone ||= revives
      if (revives && zone === undefined) return undefined
      const changed = await change(
        tx,
        revives && zone ? await revive(tx, row, made.at, zone, time) : row,
        zone,
        adding,
      )
      if (changed.deleted_at !== null) return undefined
      return (await freshHabit(tx, changed, time, effortOfOneWrite())) ?? unsummed
    })
  const zoneIsHad = needsZone
  const written = await write()
  // It is known only by now, and nearly every habit that is changed is there.
  const last = needsZone === zoneIsHad ? written : await write()
  return last === unsummed ? summedHabit(db, user, id, time) : last
}

/** Of a habit whose earlier completions are too many to be summed up in the write that needs them. */
const unsummed = 'unsummed'

/** The habit once they are summed up, some thousands in each write. Undefined when it is not there or deleted. */
export async function summedHabit(
  db: Database,
  user: string,
  id: string,
  time: UserTime,
): Promise<Habit | undefined> {
  for (;;) {
    const habit = await db.write(async (tx) => {
      const row = await lockHabit(tx, user, id)
      return row && ((await freshHabit(tx, row, time, effortOfOneWrite())) ?? unsummed)
    })
    if (habit !== unsummed) return habit
    await setImmediate()
  }
}

export async function updateHabit(
  tx: Transaction<Tables>,
  row: HabitRow,
  changed: Partial<HabitRow>,
  at: Instant,
): Promise<HabitRow> {
  if (Object.keys(changed).length === 0) return row
  const values = { ...changed, updated_at: Math.max(row.updated_at, at) }
  await tx
    .updateTable('habits')
    .set(values)
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...values }
}

/** Takes a deletion back that was made before `at`, and reminds of the habit again. */
export async function revive(
  tx: Transaction<Tables>,
  row: HabitRow,
  at: Instant,
  zone: string,
  time: UserTime,
): Promise<HabitRow> {
  const restored = await updateHabit(tx, row, restorationOf(row, at), at)
  const isBack = row.deleted_at !== null && restored.deleted_at === null
  if (isBack) await setHabitAlarm(tx, restored, zone, time.now)
  return restored
}

/**
 * The habit as it is shown, its earlier completions summed up again where they need to be. Undefined where the effort did
 * not suffice for that: the next write goes on.
 */
export async function freshHabit(
  tx: Transaction<Tables>,
  row: HabitRow,
  time: UserTime,
  effort: Effort,
): Promise<Habit | undefined> {
  const earlier = await sumUpAgain(tx, row, rhythmOf(row, time), time.today, effort)
  return earlier && showHabit(row, await daysSince(tx, row, earlier.from), earlier, time)
}

export function liveRows(tx: Transaction<Tables>, user: string) {
  return tx
    .selectFrom('habits')
    .selectAll()
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
}

export async function anyHabit(
  tx: Transaction<Tables>,
  user: string,
  id: string,
): Promise<HabitRow | undefined> {
  return tx
    .selectFrom('habits')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}
