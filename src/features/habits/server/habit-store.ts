import { isSameReminder, type Reminder } from '#features/reminders/reminder.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { deletionOf, type Made } from '#platform/database/deletion.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import type { Habit } from '../habit.ts'
import type { Frequency } from '../streak.ts'
import { clearHabitAlarms, reminderColumns, reminderOf, setHabitAlarm } from './habit-reminder-store.ts'
import {
  anyHabit,
  freshHabit,
  lockHabit,
  revive,
  summedHabit,
  type UserTime,
  updateHabit,
  writeHabit,
} from './habit-row-store.ts'
import { effortOfOneWrite } from './year-store.ts'

// Changes from several devices merge as `docs/merging.md` says: each field, and being deleted, keeps the instant of its
// last change, and a change with an earlier instant is let go.

interface Addition {
  name: string
  description: string
  frequency: Frequency
  startDay: Day
  reminder?: Reminder | null | undefined
  at: Instant
}

interface Change extends Made {
  name?: string | undefined
  description?: string | undefined
  frequency?: Frequency | undefined
  reminder?: Reminder | null | undefined
}

/** Adding an id again changes nothing and answers what is stored, or 'deleted' when it was deleted since. */
export async function addHabit(
  db: Database,
  user: string,
  id: string,
  { name, description, frequency, startDay, reminder = null, at }: Addition,
  time: UserTime,
): Promise<{ habit: Habit; created: boolean } | 'deleted' | TooManyRows> {
  const written = await writeWithinLimits(db, user, ['habits'], async (tx, adding) => {
    // Before the habit, as whoever changes the zone does: two that lock the same in two orders wait for each other.
    const zone = reminder && (await time.zoneIn(tx))
    const added = await tx
      .insertInto('habits')
      .values({
        user_id: user,
        id,
        name,
        name_at: at,
        description,
        description_at: at,
        frequency,
        frequency_at: at,
        start_day: startDay,
        ...reminderColumns(reminder),
        reminder_changed_at: at,
        earlier_rhythm: null,
        earlier_from: null,
        earlier_run: null,
        earlier_longest: null,
        created_at: at,
        updated_at: at,
        deleted_at: null,
        deletion_changed_at: at,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) {
      adding.rows('habits', 1)
      if (zone) await setHabitAlarm(tx, added, zone, time.now)
    }
    const stored = added ?? (await lockHabit(tx, user, id))
    if (!stored) return 'deleted'
    const habit = await freshHabit(tx, stored, time, effortOfOneWrite())
    return { habit, created: added !== undefined }
  })
  if (written === 'deleted' || written instanceof TooManyRows) return written
  const habit = written.habit ?? (await summedHabit(db, user, id, time))
  return habit ? { habit, created: written.created } : 'deleted'
}

/** Answers the habit as it is then, or undefined when it is not there or was deleted later. */
export async function changeHabit(
  db: Database,
  user: string,
  id: string,
  { name, description, frequency, reminder, at, revives }: Change,
  time: UserTime,
): Promise<Habit | undefined | TooManyRows> {
  return writeHabit(
    db,
    user,
    id,
    { at, revives, needsZone: Boolean(reminder) },
    time,
    async (tx, row, zone) => {
      const isLast = reminder !== undefined && at >= row.reminder_changed_at
      // The same again is the last word on it, and leaves alone what was put off and reminded of.
      const reminds = isLast && !isSameReminder(reminder, reminderOf(row))
      const changed = await updateHabit(
        tx,
        row,
        {
          ...(name !== undefined && at >= row.name_at ? { name, name_at: at } : {}),
          ...(description !== undefined && at >= row.description_at
            ? { description, description_at: at }
            : {}),
          ...(frequency !== undefined && at >= row.frequency_at ? { frequency, frequency_at: at } : {}),
          ...(reminds ? reminderColumns(reminder) : {}),
          ...(isLast ? { reminder_changed_at: at } : {}),
        },
        at,
      )
      if (reminds && zone && changed.deleted_at === null) await setHabitAlarm(tx, changed, zone, time.now)
      else if (reminds) await clearHabitAlarms(tx, changed)
      return changed
    },
  )
}

/** False when it is not there or already deleted. A deletion older than another change is let go, and answered with true. */
export async function deleteHabit(db: Database, user: string, id: string, at: Instant): Promise<boolean> {
  return db.writeFor(user, ['habits'], async (tx) => {
    const row = await anyHabit(tx, user, id)
    const left = row && (await updateHabit(tx, row, deletionOf(row, at), at))
    if (left && left.deleted_at !== null) await clearHabitAlarms(tx, left)
    return row?.deleted_at === null
  })
}

/** Answers the habit with all of its completions, or undefined when it is not there or was deleted later than `at`. */
export async function restoreHabit(
  db: Database,
  user: string,
  id: string,
  at: Instant,
  time: UserTime,
): Promise<Habit | undefined> {
  const isThere = await db.writeFor(user, ['habits'], async (tx) => {
    const zone = await time.zoneIn(tx)
    const row = await anyHabit(tx, user, id)
    return row !== undefined && (await revive(tx, row, at, zone, time)).deleted_at === null
  })
  return isThere ? summedHabit(db, user, id, time) : undefined
}
