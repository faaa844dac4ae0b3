import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { noteEndingsOf } from './ending-store.ts'

export async function isClosed(db: Database, user: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('closed_accounts')
    .select('user_id')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Signs the user out everywhere and lets nobody in again; what they wrote stays. A sign-in at the same moment finds the row
 * once it has its session, and ends that itself (`auth.ts`).
 */
export async function closeAccount(db: Database, user: string, at: Instant): Promise<void> {
  await db.write(async (tx) => {
    await tx
      .insertInto('closed_accounts')
      .values({ user_id: user, closed_at: at })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
    await noteEndingsOf(tx, db.engine, user, 'account-closed', at)
  })
  await endAllSessions(db, user)
}

export async function reopenAccount(db: Database, user: string): Promise<void> {
  await db.write((tx) => tx.deleteFrom('closed_accounts').where('user_id', '=', user).execute())
}

/** Answers how many there were. The browsers that are pushed to go with them. */
export async function endAllSessions(db: Database, user: string): Promise<number> {
  const { numDeletedRows } = await db.write((tx) =>
    tx.deleteFrom('session').where('userId', '=', user).executeTakeFirstOrThrow(),
  )
  db.changes.tell(user)
  return Number(numDeletedRows)
}
