import type { Transaction } from 'kysely'
import { setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { endOf } from '../timer.ts'
import type { StandingTimer } from '../timer-merge.ts'

// The end of a phase is stored as an alarm, like a reminder, so that it is pushed to devices without an open page.

/**
 * Sets the alarm for the end of the running phase, and deletes alarms that no longer apply. Alarms due before `now` stay, to be
 * announced. So does the alarm of the previous phase if that phase led to the new state without a press.
 */
export async function setPhaseAlarm(
  tx: Transaction<Tables>,
  user: string,
  { timer, at }: StandingTimer,
  before: StandingTimer | undefined,
  now: Instant,
): Promise<void> {
  const kept = before?.at === at && before.timer.status !== 'idle' ? before.timer.run.id : ''
  await tx
    .deleteFrom('alarms')
    .where('user_id', '=', user)
    .where('kind', '=', 'focus')
    .where('due_at', '>', now)
    .where('row_id', '!=', kept)
    .execute()
  const end = endOf(timer)
  if (end !== undefined && end > now && timer.status === 'running') {
    await setAlarm(tx, user, 'focus', timer.run.id, { due_at: end })
  }
}
