import type { Selectable } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { focusTimerSchema, timerToWire } from '../focus-timer.ts'
import { type StandingTimer, supersedes } from '../timer-merge.ts'

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

/** Returns the resulting timer: of several devices, the last press wins. */
export async function storeFocusTimer(
  db: Database,
  user: string,
  sent: StandingTimer,
): Promise<StandingTimer> {
  const values = { timer: JSON.stringify(timerToWire(sent.timer)), changed_at: sent.at }
  return db.writeFor(user, ['focus'], async (tx) => {
    const added = await tx
      .insertInto('focus_timers')
      .values({ user_id: user, ...values })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (added) return sent
    const row = await tx
      .selectFrom('focus_timers')
      .selectAll()
      .where('user_id', '=', user)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const standing = toStanding(row)
    if (!supersedes(sent, standing)) return standing
    await tx.updateTable('focus_timers').set(values).where('user_id', '=', user).execute()
    return sent
  })
}

function toStanding({ timer, changed_at }: Row): StandingTimer {
  return { timer: focusTimerSchema.parse(JSON.parse(timer)), at: changed_at }
}
