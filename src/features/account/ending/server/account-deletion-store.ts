import { recordSessionEndsOfUser } from '#features/account/session/server/session-end-store.ts'
import { lockSignUps } from '#features/account/sign-up/server/sign-up-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { UserTable } from '#platform/database/row-kind.ts'
import { deleteSomeRows, inSlices, type Pace } from '#platform/database/rows/delete-rows.ts'
import { forgetCallsOf } from '#platform/http/guards/rate-limit-store.ts'

/**
 * Closes the account in one step, after which nobody can get into it and its address is free again; then deletes everything
 * that belongs to it, starting with `tables`, which may hold a great many rows. Soon afterwards nothing of it is left in the files either.
 */
export async function deleteAccount(
  db: Database,
  { id, email }: { id: string; email: string },
  tables: readonly UserTable[],
  at: Instant,
): Promise<void> {
  await db.erase(async (tx) => {
    // Rows that belong to somebody without a reference to them.
    await tx
      .deleteFrom('verification')
      .where((eb) => eb.or([eb('value', 'in', [id, email]), eb('identifier', 'in', [id, email])]))
      .execute()
    await lockSignUps(tx, email)
    await tx.deleteFrom('sign_ups').where('email', '=', email).execute()
    await tx.deleteFrom('invitations').where('email', '=', email).execute()
    await forgetCallsOf(tx, id)
    // The user is locked before their rows, as everywhere.
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
  // Somebody waits for it.
  await finishDeletion(db, tables, id, { rest: 0 })
}

/** Resumes deletions that were interrupted, such as by a kill. */
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
      // In the same write that found nothing left, also removes whatever was still added in the meantime.
      await tx.deleteFrom('user').where('id', '=', user).execute()
      return { left: false }
    },
    pace,
  )
}
