import type { Database } from '#platform/database/database.ts'
import { makePushKeys, type PushKeys } from './vapid.ts'

/**
 * The keys that browsers subscribe with, made once and kept with the data: another pair would end every subscription.
 * Of several processes that make them at once, all get those of the first.
 */
export async function keptPushKeys(db: Database): Promise<PushKeys> {
  const known = await db.read.selectFrom('push_keys').selectAll().executeTakeFirst()
  if (known) return { publicKey: known.public_key, privateKey: known.private_key }
  const made = makePushKeys()
  return db.write(async (tx) => {
    await tx
      .insertInto('push_keys')
      .values({ id: 1, public_key: made.publicKey, private_key: made.privateKey })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const kept = await tx.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
    return { publicKey: kept.public_key, privateKey: kept.private_key }
  })
}
