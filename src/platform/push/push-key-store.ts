import type { Database } from '#platform/database/database.ts'
import { makePushKeys, type PushKeys } from './vapid.ts'

/**
 * Returns the keys that browsers subscribe with. They are created once and stored with the data, since a different pair
 * would end every subscription. If several processes create them at once, all get the first pair.
 */
export async function readOrCreatePushKeys(db: Database): Promise<PushKeys> {
  const existing = await db.read.selectFrom('push_keys').selectAll().executeTakeFirst()
  if (existing) return { publicKey: existing.public_key, privateKey: existing.private_key }
  const made = makePushKeys()
  return db.write(async (tx) => {
    await tx
      .insertInto('push_keys')
      .values({ id: 1, public_key: made.publicKey, private_key: made.privateKey })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const stored = await tx.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
    return { publicKey: stored.public_key, privateKey: stored.private_key }
  })
}
