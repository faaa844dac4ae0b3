import type { Transaction } from 'kysely'
import { nextReminder } from '#features/reminders/next-reminder.ts'
import type { Reminder } from '#features/reminders/reminder.ts'
import { alarmsOf, clearAlarms, setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { createYieldPoint } from '#platform/database/yield-point.ts'
import { type ReminderColumns, reminderOf } from '../habit-row.ts'
import { type Frequency, isCompleted, periodEnd, periodStart, rhythmOf } from '../streak.ts'
import { isDone } from './done-days-store.ts'

type RemindedRow = ReminderColumns & {
  user_id: string
  id: string
}

/** Reminds of the habit from now on as its row says; a snoozed reminder, or one from today, is discarded. */
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
 * Sets the alarms of a user's habits, all or only the `named` ones, for the zone that applies from now on. The change of zone
 * reminds of no day twice, and leaves reminders that are already due to be delivered.
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

/** Reminds of a habit again, whatever its reminder says. Returns false if the habit does not exist or is deleted. */
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

/** The reminders of habits by user and id, for those that exist and have one. */
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

/** The content of a habit's reminder for a day; undefined if the habit does not exist or is deleted. */
export async function habitToRemindOf(
  db: Database,
  user: string,
  id: string,
  day: Day,
  weekStart: WeekStart,
): Promise<{ title: string; frequency: Frequency; hasReminder: boolean } | 'done' | undefined> {
  const week = rhythmOf({ frequency: 'weekly' }, { weekStart })
  const rows = await db.read
    .selectFrom('habits')
    .leftJoin('completions', (join) =>
      join
        .onRef('completions.user_id', '=', 'habits.user_id')
        .onRef('completions.habit_id', '=', 'habits.id')
        .on(isDone)
        .on('completions.day', '>=', periodStart(day, week))
        .on('completions.day', '<=', periodEnd(day, week)),
    )
    .select(['habits.name', 'habits.frequency', 'habits.reminder_time', 'completions.day'])
    .where('habits.user_id', '=', user)
    .where('habits.id', '=', id)
    .where('habits.deleted_at', 'is', null)
    .execute()
  const [habit] = rows
  if (!habit) return undefined
  const days = rows.flatMap((row) => (row.day === null ? [] : [row.day]))
  if (isCompleted(days, day, rhythmOf(habit, { weekStart }))) return 'done'
  return { title: habit.name, frequency: habit.frequency, hasReminder: habit.reminder_time !== null }
}
