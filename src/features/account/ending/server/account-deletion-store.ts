import { recordSessionEndsOfUser } from '#features/account/session/server/session-end-store.ts'
import { lockSignUps } from '#features/account/sign-up/server/sign-up-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { UserTable } from '#platform/database/row-kind.ts'
import { deleteSomeRows, inSlices, type Pace } from '#platform/database/rows/delete-rows.ts'
import { forgetCallsOf } from '#platform/http/guards/rate-limit-store.ts'

/**
 * Closes the account in one step, so that nobody can get into it and its address is free again. Then deletes all its rows,
 * starting with `tables`, which may hold a great many. Soon afterwards the database files hold nothing of it either.
 */
export async function deleteAccount(
  db: Database,
  { id, email }: { id: string; email: string },
  tables: readonly UserTable[],
  at: Instant,
): Promise<void> {
  await db.erase(async (tx) => {
    // Delete rows that belong to the user without a foreign key.
    await tx
      .deleteFrom('verification')
      .where((eb) => eb.or([eb('value', 'in', [id, email]), eb('identifier', 'in', [id, email])]))
      .execute()
    await lockSignUps(tx, email)
    await tx.deleteFrom('sign_ups').where('email', '=', email).execute()
    await tx.deleteFrom('invitations').where('email', '=', email).execute()
    await forgetCallsOf(tx, id)
    // Lock the user before the user's rows, as everywhere: two writes that lock in different orders would deadlock.
    const left = await tx
      .updateTable('user')
      .set({ name: '', email: id, image: null })
      .where('id', '=', id)
      .executeTakeFirst()
    if (left.numUpdatedRows === 0n) return
    await recordSessionEndsOfUser(tx, db.engine, id, 'account-deleted', at)
    await tx.deleteFrom('session').where('userId', '=', id).execute()
    await tx.deleteFrom('account').where('userId', '=', id).execute()
    await tx.deleteFrom('mail_reminders').where('user_id', '=', id).execute()
    await tx
      .insertInto('deleted_accounts')
      .values({ user_id: id })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
  })
  db.changes.notify(id)
  // Do not pause between batches: the person is waiting for the response.
  await finishDeletion(db, tables, id, { rest: 0 })
}

/** Resumes account deletions that were interrupted, for example because the process was killed. */
export async function finishDeletions(
  db: Database,
  tables: readonly UserTable[],
  pace: Pace = {},
): Promise<void> {
  const begun = await db.read.selectFrom('deleted_accounts').select('user_id').execute()
  for (const { user_id } of begun) await finishDeletion(db, tables, user_id, pace)
}

async function finishDeletion(
  db: Database,
  tables: readonly UserTable[],
  user: string,
  pace: Pace,
): Promise<void> {
  await inSlices(
    db,
    'erase',
    async (tx, most) => {
      if (await deleteSomeRows(tx, db.engine, tables, user, most)) return { left: true }
      // The write that finds no rows left also removes the user, and with it any rows added in the meantime.
      await tx.deleteFrom('user').where('id', '=', user).execute()
      return { left: false }
    },
    pace,
  )
}
