import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { instantForAuth } from '#platform/database/tables.ts'
import { forgetCallsOf } from '#platform/http/rate-limit-store.ts'
import { type Picture, pictureAddress, storePicture } from './picture-store.ts'

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

/** Where and by which name a user can be mailed what they did not ask for at that moment: at a confirmed address only. */
export async function confirmedAddress(
  db: Database,
  user: string,
): Promise<{ name: string; email: string } | undefined> {
  const row = await db.read
    .selectFrom('user')
    .select(['name', 'email', 'emailVerified'])
    .where('id', '=', user)
    .executeTakeFirst()
  return row?.emailVerified ? { name: row.name, email: row.email } : undefined
}

/** Everything that belongs to an account goes with it, at one moment, and leaves nothing in the files either. */
export async function deleteAccount(
  db: Database,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await db.erase(async (tx) => {
    // What belongs to somebody without being tied to them.
    await tx
      .deleteFrom('verification')
      .where((eb) => eb.or([eb('value', 'in', [id, email]), eb('identifier', 'in', [id, email])]))
      .execute()
    await forgetCallsOf(tx, id)
    await tx.deleteFrom('user').where('id', '=', id).execute()
  })
  db.changes.tell(id)
}
