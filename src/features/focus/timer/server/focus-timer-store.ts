import type { Selectable } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { changedSince } from '#platform/database/rows/later-changes.ts'
import type { Tables } from '#platform/database/tables.ts'
import { focusTimerSchema, timerToWire } from '../focus-timer.ts'
import { type StandingTimer, supersedes } from '../timer-merge.ts'
import { setPhaseAlarm } from './phase-alarm-store.ts'

type Row = Selectable<Tables['focus_timers']>

/** Returns undefined if the user never started the timer. */
export async function readFocusTimer(db: Database, user: string): Promise<StandingTimer | undefined> {
  const row = await db.read
    .selectFrom('focus_timers')
    .selectAll()
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row && toStanding(row)
}

/** Stores the timer unless a later press is stored already. Returns the timer that is stored in the end. */
export async function storeFocusTimer(
  db: Database,
  user: string,
  sent: StandingTimer,
  now: Instant,
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
    const meant = withPhaseOf(standing, sent)
    if (!meant) return standing
    changedSince(standing.at, meant.at)
    if (!supersedes(meant, standing)) return standing
    await tx.updateTable('focus_timers').set(toColumns(meant)).where('user_id', '=', user).execute()
    await setPhaseAlarm(tx, user, meant, standing, now)
    return meant
  })
}

/**
 * A client that knows no phases sends the current run without its phase; the run then keeps the stored phase. Returns undefined
 * if that client reports the end of the run: it always counts 25 minutes, but the stored phase may be longer.
 */
function withPhaseOf({ timer: there }: StandingTimer, sent: StandingTimer): StandingTimer | undefined {
  const { timer } = sent
  if (timer.status === 'idle' || timer.phase || there.status === 'idle' || !there.phase) return sent
  if (timer.run.id !== there.run.id) return sent
  if (timer.status === 'finished') return undefined
  const { phase, plan, next, subject } = there
  const { before, recorded } = there.run
  return { ...sent, timer: { ...timer, run: { ...timer.run, before, recorded }, phase, plan, next, subject } }
}

function toColumns({ timer, at }: StandingTimer) {
  return { timer: JSON.stringify(timerToWire(timer)), changed_at: at }
}

function toStanding({ timer, changed_at }: Row): StandingTimer {
  return { timer: focusTimerSchema.parse(JSON.parse(timer)), at: changed_at }
}
