import type { Auth } from '#features/account/session/server/better-auth.ts'
import { recordSessionEndsOfUser } from '#features/account/session/server/session-end-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'

/** The stored password of an account. The hash begins with a salt, so choosing the same password again gives a different hash. */
export interface Password {
  user: string
  hash: string
}

/**
 * How often a signed-in person may try the password. Counted per account, because somebody with a stolen session can try
 * passwords from many addresses.
 */
export const passwordLimit = { name: 'password', max: 10, seconds: 60, per: 'user' } as const

/** The stored password that a sign-in with this email is checked against; undefined if there is no such account. */
export async function passwordOf(auth: Auth, email: string): Promise<Password | undefined> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password
  return found && hash ? { user: found.user.id, hash } : undefined
}

/**
 * Stores a new password and ends every sign-in session in the same write. Returns false and changes nothing if `before` is no
 * longer the stored password: if two requests replace it at once, only one succeeds.
 */
export async function replacePassword(
  db: Database,
  { before: { user, hash }, newHash }: { before: Password; newHash: string },
  now: Instant,
): Promise<boolean> {
  const isReplaced = await db.write(async (tx) => {
    // Lock the user before the user's rows, as when the account is deleted.
    await tx.selectFrom('user').select('id').where('id', '=', user).forUpdate().execute()
    const replaced = await tx
      .updateTable('account')
      .set({ password: newHash, updatedAt: instantForAuth(db.engine, now) })
      .where('userId', '=', user)
      .where('providerId', '=', 'credential')
      .where('password', '=', hash)
      .executeTakeFirst()
    if (replaced.numUpdatedRows === 0n) return false
    await recordSessionEndsOfUser(tx, db.engine, user, 'password-changed', now)
    await tx.deleteFrom('session').where('userId', '=', user).execute()
    return true
  })
  if (isReplaced) db.changes.notify(user)
  return isReplaced
}
