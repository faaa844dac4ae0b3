import type { Transaction } from 'kysely'
import { setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import { endOf } from '../timer.ts'
import type { StandingTimer } from '../timer-merge.ts'

// The end of a phase is stored as an alarm, like a reminder, so that it is pushed to devices without an open page.

/**
 * Sets the alarm for the end of the running phase, and deletes alarms that no longer apply. Two kinds of alarm stay, to be
 * announced: those due before `now`, and the one of the previous phase if the new state followed from it by itself.
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
