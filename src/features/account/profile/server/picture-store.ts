import type { Transaction } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'

// Pictures are stored as base64, because the engines return bytes in different ways.

export interface Picture {
  id: string
  webp: Uint8Array
}

/** The URL of a picture, as stored in `user.image`. */
export function pictureAddress(id: string): string {
  return `/api/pictures/${id}`
}

export async function readPicture(
  db: Database,
  user: string,
  id: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await db.read
    .selectFrom('pictures')
    .select('webp')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && Uint8Array.fromBase64(row.webp)
}

/** Whether the user's picture has this id. Does not read the picture itself. */
export async function hasPicture(db: Database, user: string, id: string): Promise<boolean> {
  const row = await db.read
    .selectFrom('pictures')
    .select('id')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores or removes the user's picture. A user has at most one, so a new picture replaces the old one. */
export async function storePicture(
  tx: Transaction<Tables>,
  user: string,
  picture: Picture | null,
): Promise<void> {
  if (!picture) {
    await tx.deleteFrom('pictures').where('user_id', '=', user).execute()
    return
  }
  const values = { id: picture.id, webp: picture.webp.toBase64() }
  await tx
    .insertInto('pictures')
    .values({ user_id: user, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}
