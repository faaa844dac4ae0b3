import type { Transaction } from 'kysely'
import { readDaysOf, readFirstEntries } from '#features/habits/past/server/habit-days-store.ts'
import { isLeftToDo } from '#features/habits/rhythm/day-state.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { longestPeriod, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf } from '#features/habits/rhythm/server/rhythm-store.ts'
import { nextReminder } from '#features/reminders/reminder/next-reminder.ts'
import type { ReminderSubject } from '#features/reminders/reminder/push-message.ts'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { alarmsOf, clearAlarms, setAlarm } from '#platform/alarms/alarm-store.ts'
import { addDays, type Day, type Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'
import { type ReminderColumns, reminderOf } from '../reminder-columns.ts'
import { reminderSubjectOf } from '../reminder-subject.ts'

type RemindedRow = ReminderColumns & {
  user_id: string
  id: string
}

/** Sets the habit's next reminder as its row says. Discards a snoozed reminder, and forgets which day was last reminded of. */
export async function setHabitAlarm(
  tx: Transaction<Tables>,
  row: RemindedRow,
  zone: string,
  now: Instant,
): Promise<void> {
  await clearHabitAlarms(tx, row)
  const reminder = reminderOf(row)
  if (reminder)
    await setAlarm(tx, row.user_id, 'habit', row.id, { due_at: nextReminder(reminder, now, zone).at })
}

export async function clearHabitAlarms(
  tx: Transaction<Tables>,
  { user_id, id }: { user_id: string; id: string },
): Promise<void> {
  await clearAlarms(tx, user_id, ['habit', 'habit-later'], id)
}

/**
 * Sets the alarms of a user's habits, or only of those in `named`, for a new time zone. A change of zone never reminds twice of
 * one day, and keeps reminders that are already due.
 */
export async function setHabitAlarms(
  tx: Transaction<Tables>,
  user: string,
  zone: string,
  now: Instant,
  named?: ReadonlySet<string>,
): Promise<void> {
  const rows = await tx
    .selectFrom('habits')
    .select(['user_id', 'id', 'reminder_time', 'reminder_weekdays'])
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .where('reminder_time', 'is not', null)
    .$if(named !== undefined, (query) => query.where('id', 'in', [...(named ?? [])]))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length === 0) return
  const alarms = await alarmsOf(tx, user, 'habit')
  const yieldPoint = createYieldPoint()
  for (const row of rows) {
    await yieldPoint()
    const reminder = reminderOf(row)
    const alarm = alarms.get(row.id)
    if (!reminder || (alarm && alarm.due_at <= now)) continue
    const reminded_on = alarm?.reminded_on ?? null
    const { at } = nextReminder(reminder, now, zone, reminded_on)
    await setAlarm(tx, user, 'habit', row.id, { due_at: at, reminded_on })
  }
}

/**
 * Reminds of a habit again at an instant, regardless of the time in its reminder. Returns false if the habit does not exist or is
 * deleted.
 */
export async function snoozeHabit(
  db: Database,
  user: string,
  id: string,
  { at, day }: { at: Instant; day: Day },
): Promise<boolean> {
  return db.write(async (tx) => {
    const row = await tx
      .selectFrom('habits')
      .select('id')
      .where('user_id', '=', user)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (row) await setAlarm(tx, user, 'habit-later', id, { due_at: at, day })
    return row !== undefined
  })
}

/** The reminders of habits by user and id, leaving out habits that have none or no longer exist. */
export async function remindersOf(
  tx: Transaction<Tables>,
  habits: readonly { user: string; id: string }[],
): Promise<Map<string, Map<string, Reminder>>> {
  const rows = await tx
    .selectFrom('habits')
    .select(['user_id', 'id', 'reminder_time', 'reminder_weekdays'])
    .where('user_id', 'in', [...new Set(habits.map(({ user }) => user))])
    .where('id', 'in', [...new Set(habits.map(({ id }) => id))])
    .where('deleted_at', 'is', null)
    .execute()
  const byUser = new Map<string, Map<string, Reminder>>()
  for (const row of rows) {
    const reminder = reminderOf(row)
    const ofUser = byUser.get(row.user_id) ?? new Map<string, Reminder>()
    if (reminder) byUser.set(row.user_id, ofUser.set(row.id, reminder))
  }
  return byUser
}

/** What the reminder of a habit says. */
export type HabitToRemindOf = ReminderSubject & { title: string; hasReminder: boolean }

/**
 * What a habit's reminder for a day says. 'done' if nothing is left to do: the habit is done, skipped, paused, archived, not due,
 * or can no longer be done. Undefined if it does not exist or is deleted.
 */
export async function habitToRemindOf(
  db: Database,
  user: string,
  id: string,
  day: Day,
  calendar: { weekStart: WeekStart; dayAt(instant: Instant): Day },
): Promise<HabitToRemindOf | 'done' | undefined> {
  return db.snapshot(async (tx) => {
    const habit = await tx
      .selectFrom('habits')
      .select(['id', 'name', 'start_day', 'first_entry_day', 'archived_at', 'reminder_time'])
      .where('user_id', '=', user)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!habit) return undefined
    const rows = await readRhythmsOf(tx, { user_id: user, id })
    const around = longestPeriod(spansOf(rows)) - 1
    const window = { from: addDays(day, -around), to: addDays(day, around) }
    const { days } = await readDaysOf(tx, { user_id: user, ...habit }, window, calendar)
    const firstEntries = await readFirstEntries(tx, user, [{ id, ...days }])
    const track = trackOf(days, firstEntries.get(id))
    if (!isLeftToDo(track, day)) return 'done'
    return {
      title: habit.name,
      hasReminder: habit.reminder_time !== null,
      ...reminderSubjectOf(track, day),
    }
  })
}
