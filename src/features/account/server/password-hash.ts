import type { Auth } from './auth.ts'

/** The hash that a sign-in with this email is checked against; undefined where there is no such account. */
export async function passwordHashOf(auth: Auth, email: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
  return found?.accounts.find(({ providerId }) => providerId === 'credential')?.password ?? undefined
}
