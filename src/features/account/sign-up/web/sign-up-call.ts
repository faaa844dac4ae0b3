import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import type { SignUp } from '#features/account/sign-in/account.ts'

/** Returns the signed-in user; no user if the link in a mail has to be followed first. */
export function signUp(account: SignUp): Promise<AuthResponse> {
  return post('/api/auth/sign-up/email', account)
}
