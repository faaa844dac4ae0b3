import type { User } from '#features/account/session/user.ts'

/** A hidden field in forms that ask for the password: it tells the browser's password manager whose it is. */
export function OwnEmail({ user }: { user: User }) {
  return <input type="email" autoComplete="username" value={user.email} readOnly hidden />
}
