import type { Selectable, Transaction } from 'kysely'
import { clearAlarms, setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'

type Row = Selectable<Tables['todos']>

/**
 * Sets the alarm that follows from a change at `at`. A reminder for an earlier instant is over, so reopening or restoring the
 * to-do does not deliver it again. A change that arrives late or twice does not deliver a reminder again either. For a reminder
 * tied to the due day, the scheduler computes the next instant in the person's time zone. A snooze of such a reminder stays,
 * because the to-do is checked for completion when the alarm is due.
 */
export async function planAlarm(tx: Transaction<Tables>, row: Row, at: Instant): Promise<void> {
  const { user_id, id, reminder, remind_at, reminded_at } = row
  const mayRemind = !row.completed && row.deleted_at === null
  const isAhead = remind_at !== null && remind_at > at && remind_at !== reminded_at
  const goesWithDue = mayRemind && reminder !== null
  await clearAlarms(tx, user_id, goesWithDue ? ['todo'] : ['todo', 'todo-later'], id)
  // A change that arrives late does not bring back reminders that were over when the reminder or the due day was set.
  const since = Math.max(at, row.remind_changed_at, row.due_day_at, row.repeat_at)
  if (goesWithDue) await setAlarm(tx, user_id, 'todo', id, { due_at: since })
  else if (mayRemind && isAhead) await setAlarm(tx, user_id, 'todo', id, { due_at: remind_at })
}

export function hasReminder({ reminder, remind_at }: Pick<Row, 'reminder' | 'remind_at'>): boolean {
  return reminder !== null || remind_at !== null
}
