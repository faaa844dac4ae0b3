import { randomBytes } from 'node:crypto'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** The user of a reset token from better-auth that still works; undefined if there is none. */
export async function userOfPasswordReset(auth: Auth, token: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
}

/** Creates the token of a link with which somebody can choose a new password; earlier ones stop working. */
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

/** Voids every password link that a user was sent. */
export async function voidPasswordResets(auth: Auth, user: string): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: user }] })
}

/** Removes the resets that nobody used before `now`. */
export async function purgePasswordResets(auth: Auth, now: Instant): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'verification',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  })
}
