import type { Auth } from '#features/account/session/server/better-auth.ts'
import type { Instant } from '#platform/calendar/day.ts'

// Longer than any sign-up takes, so that one in progress is not mistaken for an interrupted one.
const abandonedAfter = 60_000

/**
 * A sign-up writes the user first and the password afterwards. If it is interrupted in between, the email would be taken
 * forever by an account that nobody can sign in to, so the next sign-up removes such a remnant. better-auth's own
 * `transaction` is no alternative: it hashes the password inside the transaction, which on SQLite blocks everybody else,
 * and a hook that queries the database would wait for itself.
 */
export async function removeUnfinishedSignUp(auth: Auth, email: string, now: Instant): Promise<void> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  if (!found || found.accounts.length > 0) return
  if (now - found.user.createdAt.getTime() < abandonedAfter) return
  await internalAdapter.deleteUser(found.user.id)
}
