import type { Transaction } from 'kysely'
import { isSameReminder, type Reminder } from '#features/reminders/reminder.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { deletionOf, type Made } from '#platform/database/deletion.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { type Earlier, type Frequency, rhythmOf } from '../streak.ts'
import { earlierOf } from './earlier-store.ts'
import { clearHabitAlarms, reminderColumns, reminderOf, setHabitAlarm } from './habit-reminder-store.ts'
import {
  anyHabit,
  freshHabit,
  type HabitRow,
  liveRows,
  lockHabit,
  revive,
  type UserTime,
  updateHabit,
  writeHabit,
} from './habit-row-store.ts'
import { showHabit } from './show-habit.ts'

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

/** In the order in which they were made, without the deleted ones. */
export async function listHabits(db: Database, user: string, time: UserTime): Promise<Habit[]> {
  const listed = await db.snapshot((tx) => readHabits(tx, user, time))
  if (listed) return listed
  // Seldom: after the week start or the frequency changed.
  return db.write(async (tx) => {
    const rows = await liveRows(tx, user).forUpdate().execute()
    const shown: Habit[] = []
    for (const row of rows) shown.push(await freshHabit(tx, row, time))
    return shown
  })
}

/** Adding an id again changes nothing and answers what is stored, or 'deleted' when it was deleted since. */
export async function addHabit(
  db: Database,
  user: string,
  id: string,
  { name, description, frequency, startDay, reminder = null, at }: Addition,
  time: UserTime,
): Promise<{ habit: Habit; created: boolean } | 'deleted'> {
  return db.writeFor(user, ['habits'], async (tx) => {
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
      if (zone) await setHabitAlarm(tx, added, zone, time.now)
      return { habit: await freshHabit(tx, added, time), created: true }
    }

    const stored = await lockHabit(tx, user, id)
    return stored ? { habit: await freshHabit(tx, stored, time), created: false } : 'deleted'
  })
}

/** Answers the habit as it is then, or undefined when it is not there or was deleted later. */
export async function changeHabit(
  db: Database,
  user: string,
  id: string,
  { name, description, frequency, reminder, at, revives }: Change,
  time: UserTime,
): Promise<Habit | undefined> {
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
  return db.writeFor(user, ['habits'], async (tx) => {
    const zone = await time.zoneIn(tx)
    const row = await anyHabit(tx, user, id)
    if (!row) return undefined
    const restored = await revive(tx, row, at, zone, time)
    return restored.deleted_at === null ? freshHabit(tx, restored, time) : undefined
  })
}

/** Forgets what anyone deleted before an instant, completions included, and answers how many habits that were. */
export async function purgeDeletedHabits(db: Database, before: Instant): Promise<number> {
  const purged = await db.write((tx) =>
    tx.deleteFrom('habits').where('deleted_at', '<', before).executeTakeFirst(),
  )
  return Number(purged.numDeletedRows)
}

/** Undefined when the earlier completions of a habit have to be summed up first. */
async function readHabits(
  tx: Transaction<Tables>,
  user: string,
  time: UserTime,
): Promise<Habit[] | undefined> {
  const rows = await liveRows(tx, user).execute()
  const summed: { row: HabitRow; earlier: Earlier }[] = []
  for (const row of rows) {
    const earlier = earlierOf(row, rhythmOf(row, time))
    if (!earlier) return undefined
    summed.push({ row, earlier })
  }
  // One stretch of one index. Asked for each habit from its own day on, years of completions would be walked through.
  const completions = await tx
    .selectFrom('completions')
    .select(['habit_id', 'day'])
    .where('user_id', '=', user)
    .where('day', '>=', earliestOf(summed, time.today))
    .where('done', '=', 1)
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
