import type { Auth } from '#features/account/session/server/better-auth.ts'
import type { Instant } from '#platform/calendar/day.ts'

// Milliseconds after which a user without a password counts as left by an interrupted sign-up: longer than any sign-up takes.
const abandonedAfter = 60_000

/**
 * Removes what an interrupted sign-up left behind. A sign-up writes the user first and the password afterwards. If it is
 * interrupted in between, the email would belong forever to an account that nobody can sign in to. better-auth's own
 * `transaction` is no alternative. It hashes the password inside the transaction, which on SQLite blocks all other writes. A hook
 * that queries the database would also wait for itself.
 */
export async function removeUnfinishedSignUp(auth: Auth, email: string, now: Instant): Promise<void> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  if (!found || found.accounts.length > 0) return
  if (now - found.user.createdAt.getTime() < abandonedAfter) return
  await internalAdapter.deleteUser(found.user.id)
}
