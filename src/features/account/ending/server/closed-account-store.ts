import { recordSessionEndsOfUser } from '#features/account/session/server/session-end-store.ts'
import { endAllSessions } from '#features/account/session/server/session-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'

/**
 * Signs the user out everywhere and blocks sign-in; the data stay. A sign-in at the same moment finds this row after creating its
 * session, and ends the session itself (`better-auth.ts`).
 */
export async function closeAccount(db: Database, user: string, at: Instant): Promise<void> {
  await db.write(async (tx) => {
    await tx
      .insertInto('closed_accounts')
      .values({ user_id: user, closed_at: at })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
    await recordSessionEndsOfUser(tx, db.engine, user, 'account-closed', at)
  })
  await endAllSessions(db, user)
}

export async function reopenAccount(db: Database, user: string): Promise<void> {
  await db.write((tx) => tx.deleteFrom('closed_accounts').where('user_id', '=', user).execute())
}
