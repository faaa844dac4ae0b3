import type { Selectable } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { changedSince } from '#platform/database/later-changes.ts'
import type { Tables } from '#platform/database/tables.ts'
import { focusTimerSchema, timerToWire } from '../focus-timer.ts'
import { fromOlderClient } from '../older-client.ts'
import { type StandingTimer, supersedes } from '../timer-merge.ts'
import { setPhaseAlarm } from './phase-alarm-store.ts'

type Row = Selectable<Tables['focus_timers']>

/** Undefined if the user never started one. */
export async function readFocusTimer(db: Database, user: string): Promise<StandingTimer | undefined> {
  const row = await db.read
    .selectFrom('focus_timers')
    .selectAll()
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row && toStanding(row)
}

/** Returns the resulting timer: of several devices, the last press wins. `isOlder`: what was sent knows no phases. */
export async function storeFocusTimer(
  db: Database,
  user: string,
  sent: StandingTimer,
  { isOlder, now }: { isOlder: boolean; now: Instant },
): Promise<StandingTimer> {
  return db.writeFor(user, ['focus'], async (tx) => {
    const added = await tx
      .insertInto('focus_timers')
      .values({ user_id: user, ...toColumns(sent) })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (added) {
      await setPhaseAlarm(tx, user, sent, undefined, now)
      return sent
    }
    const row = await tx
      .selectFrom('focus_timers')
      .selectAll()
      .where('user_id', '=', user)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const standing = toStanding(row)
    const meant = isOlder || lacksPhase(sent, standing) ? fromOlderClient(sent, standing) : sent
    if (!meant) return standing
    changedSince(standing.at, meant.at)
    if (!supersedes(meant, standing)) return standing
    await tx.updateTable('focus_timers').set(toColumns(meant)).where('user_id', '=', user).execute()
    await setPhaseAlarm(tx, user, meant, standing, now)
    return meant
  })
}

/** A value about a run that has a phase, but without it: whoever made it has not seen the phase. */
function lacksPhase({ timer }: StandingTimer, { timer: there }: StandingTimer): boolean {
  if (timer.status === 'idle' || there.status === 'idle') return false
  return timer.run.id === there.run.id && there.phase !== undefined && timer.phase === undefined
}

function toColumns({ timer, at }: StandingTimer) {
  return { timer: JSON.stringify(timerToWire(timer)), changed_at: at }
}

function toStanding({ timer, changed_at }: Row): StandingTimer {
  return { timer: focusTimerSchema.parse(JSON.parse(timer)), at: changed_at }
}
