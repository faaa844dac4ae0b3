import type { Instant } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { type Picture, pictureAddress, storePicture } from './picture-store.ts'

interface ProfileChange {
  name?: string | undefined
  /** Null removes the picture. */
  picture?: Picture | null | undefined
}

/** Changes name and picture; undefined fields stay as they are. Returns false if the account no longer exists. */
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
