import type { Auth } from './auth.ts'

/** The stored password of an account. Its hash begins with a salt, so choosing a password again gives a different hash. */
export interface Password {
  user: string
  hash: string
}

/** What a sign-in with this email is checked against; undefined if there is no such account. */
export async function passwordOf(auth: Auth, email: string): Promise<Password | undefined> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password
  return found && hash ? { user: found.user.id, hash } : undefined
}
