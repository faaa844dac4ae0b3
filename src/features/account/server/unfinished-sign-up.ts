import type { Instant } from '#platform/calendar/day.ts'
import type { Auth } from './auth.ts'

// Longer than any sign-up takes, so that one that is under way is not mistaken for one that was cut off.
const longEnough = 60_000

/**
 * A sign-up writes the user first and the password after it. Cut off between the two, the email would be taken
 * for ever by an account that nobody can sign in to: so such a remnant gives way to the next sign-up. better-auth's own
 * `transaction` is no way out: it hashes the password inside, which on SQLite blocks everybody else meanwhile, and a hook
 * that queries waits for itself.
 */
export async function removeUnfinishedSignUp(auth: Auth, email: string, now: Instant): Promise<void> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  if (!found || found.accounts.length > 0) return
  if (now - found.user.createdAt.getTime() < longEnough) return
  await internalAdapter.deleteUser(found.user.id)
}
