import { randomBytes } from 'node:crypto'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** The user of a better-auth reset token that is still valid; undefined if the token is not. */
export async function userOfPasswordReset(auth: Auth, token: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
}

/** Creates the token of a password reset link. The user's earlier links stop working. */
export async function makePasswordReset(auth: Auth, user: string, expiresAt: Instant): Promise<string> {
  await voidPasswordResets(auth, user)
  const { internalAdapter } = await auth.$context
  const token = randomBytes(32).toString('base64url')
  await internalAdapter.createVerificationValue({
    value: user,
    identifier: `reset-password:${token}`,
    expiresAt: new Date(expiresAt),
  })
  return token
}

/** Voids every password reset link of the user. */
export async function voidPasswordResets(auth: Auth, user: string): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: user }] })
}

/** Removes the password resets that expired before `now`. */
export async function purgePasswordResets(auth: Auth, now: Instant): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'verification',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  })
}
