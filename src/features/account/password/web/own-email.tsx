import type { User } from '#features/account/session/user.ts'

/**
 * A hidden field in forms that ask for a password. It tells the browser's password manager which account the password belongs to.
 */
export function OwnEmail({ user }: { user: User }) {
  return <input type="email" autoComplete="username" value={user.email} readOnly hidden />
}
