import type { Auth } from '#features/account/session/server/better-auth.ts'
import type { Instant } from '#platform/calendar/day.ts'

// In milliseconds. Longer than any sign-up takes, so that a sign-up in progress is not mistaken for an interrupted one.
const abandonedAfter = 60_000

/**
 * Removes what an interrupted sign-up left behind. A sign-up writes the user first and the password afterwards. If it is
 * interrupted in between, the email would belong forever to an account that nobody can sign in to. better-auth's own
 * `transaction` is no alternative: it hashes the password inside the transaction, which on SQLite blocks all other writes, and a
 * hook that queries the database would wait for itself.
 */
export async function removeUnfinishedSignUp(auth: Auth, email: string, now: Instant): Promise<void> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  if (!found || found.accounts.length > 0) return
  if (now - found.user.createdAt.getTime() < abandonedAfter) return
  await internalAdapter.deleteUser(found.user.id)
}
