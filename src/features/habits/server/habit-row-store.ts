import type { Selectable, Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { type Made, restorationOf, revivalOf, takesChange } from '#platform/database/deletion.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { rhythmOf } from '../streak.ts'
import { daysOf, sumUpAnew } from './earlier-store.ts'
import { setHabitAlarm } from './habit-reminder-store.ts'
import { showHabit } from './show-habit.ts'

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
  change: (tx: Transaction<Tables>, row: HabitRow, zone: string | undefined) => Promise<HabitRow>,
): Promise<Habit | undefined> {
  let needsZone = made.needsZone ?? false
  const write = () =>
    db.writeFor(user, ['habits'], async (tx) => {
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
      )
      return changed.deleted_at === null ? freshHabit(tx, changed, time) : undefined
    })
  const zoneIsHad = needsZone
  const written = await write()
  // It is known only by now, and nearly every habit that is changed is there.
  return needsZone === zoneIsHad ? written : write()
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

/** The habit as it is shown, its earlier completions summed up anew where they need to be. */
export async function freshHabit(tx: Transaction<Tables>, row: HabitRow, time: UserTime): Promise<Habit> {
  const earlier = await sumUpAnew(tx, row, rhythmOf(row, time), time.today)
  return showHabit(row, await daysOf(tx, row, earlier.from), earlier, time)
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
