import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { deleteSomeRows } from '#platform/database/delete-rows.ts'
import { lettingOthersIn } from '#platform/database/letting-others-in.ts'
import { instantForAuth } from '#platform/database/tables.ts'
import { forgetCallsOf } from '#platform/http/rate-limit-store.ts'
import { noteEndingsOf } from './ending-store.ts'
import { type Picture, pictureAddress, storePicture } from './picture-store.ts'
import { lockSignUps } from './sign-up-store.ts'

// The tables of accounts are better-auth's to write, except where several rows have to change together.

interface ProfileChange {
  name?: string | undefined
  /** null takes it away. */
  picture?: Picture | null | undefined
}

/** Of what is undefined nothing changes. False when the account is not there any more. */
export async function changeProfile(
  db: Database,
  user: string,
  { name, picture }: ProfileChange,
  at: Instant,
): Promise<boolean> {
  const image = picture && pictureAddress(picture.id)
  return db.writeFor(user, ['account'], async (tx) => {
    const changed = await tx
      .updateTable('user')
      .set({
        ...(name !== undefined && { name }),
        ...(image !== undefined && { image }),
        updatedAt: instantForAuth(db.engine, at),
      })
      .where('id', '=', user)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) return false
    if (picture !== undefined) await storePicture(tx, user, picture)
    return true
  })
}

/**
 * Where and by which name a user can be mailed what they did not ask for at that moment: at a confirmed address only, and not while the
 * account is closed.
 */
export async function confirmedAddress(
  db: Database,
  user: string,
): Promise<{ name: string; email: string } | undefined> {
  const row = await db.read
    .selectFrom('user')
    .leftJoin('closed_accounts', 'closed_accounts.user_id', 'user.id')
    .select(['name', 'email', 'emailVerified'])
    .where('id', '=', user)
    .where('closed_accounts.user_id', 'is', null)
    .executeTakeFirst()
  return row?.emailVerified ? { name: row.name, email: row.email } : undefined
}

/**
 * Closes the account at one moment, after which nobody gets into it and its address is free, and then deletes whatever
 * belongs to it. Soon after that nothing of it is left in the files either.
 */
export async function deleteAccount(
  db: Database,
  { id, email }: { id: string; email: string },
  at: Instant,
): Promise<void> {
  await db.erase(async (tx) => {
    // What belongs to somebody without being tied to them.
    await tx
      .deleteFrom('verification')
      .where((eb) => eb.or([eb('value', 'in', [id, email]), eb('identifier', 'in', [id, email])]))
      .execute()
    await lockSignUps(tx, email)
    await tx.deleteFrom('sign_ups').where('email', '=', email).execute()
    await tx.deleteFrom('invitations').where('email', '=', email).execute()
    await forgetCallsOf(tx, id)
    // The person before what is theirs, as everywhere.
    const left = await tx
      .updateTable('user')
      .set({ name: '', email: id, image: null })
      .where('id', '=', id)
      .executeTakeFirst()
    if (left.numUpdatedRows === 0n) return
    await noteEndingsOf(tx, db.engine, id, 'account-deleted', at)
    await tx.deleteFrom('session').where('userId', '=', id).execute()
    await tx.deleteFrom('account').where('userId', '=', id).execute()
    await tx.deleteFrom('mail_reminders').where('user_id', '=', id).execute()
    await tx
      .insertInto('deleted_accounts')
      .values({ user_id: id })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
  })
  db.changes.tell(id)
  await finishDeletion(db, id)
}

/** Goes on with accounts whose deletion was broken off, such as by a kill. */
export async function finishDeletions(db: Database): Promise<void> {
  const begun = await db.read.selectFrom('deleted_accounts').select('user_id').execute()
  for (const { user_id } of begun) await finishDeletion(db, user_id)
}

async function finishDeletion(db: Database, user: string): Promise<void> {
  const letOthersIn = lettingOthersIn()
  const deleteSome = () =>
    db.erase(async (tx) => {
      if (await deleteSomeRows(tx, db.engine, user)) return true
      // In the write in which nothing of it was left, whatever was still added meanwhile.
      await tx.deleteFrom('user').where('id', '=', user).execute()
      return false
    })
  while (await deleteSome()) await letOthersIn()
}
