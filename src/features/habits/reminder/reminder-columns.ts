import { type Reminder, reminderSchema } from '#features/reminders/reminder/reminder.ts'

/** The columns of a reminder. Either both are set or neither. */
export type ReminderColumns = {
  reminder_time: number | null
  reminder_weekdays: string | null
}

export function reminderOf({
  reminder_time: time,
  reminder_weekdays: weekdays,
}: ReminderColumns): Reminder | null {
  if (time === null || weekdays === null) return null
  return reminderSchema.safeParse({ time, weekdays: [...weekdays].map(Number) }).data ?? null
}

export function reminderColumns(reminder: Reminder | null): ReminderColumns {
  return { reminder_time: reminder?.time ?? null, reminder_weekdays: reminder?.weekdays.join('') ?? null }
}
