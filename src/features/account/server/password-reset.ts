import { randomBytes } from 'node:crypto'
import type { Instant } from '#platform/calendar/day.ts'
import type { Auth } from './auth.ts'

/** Of whom better-auth made the token of a reset that can still be done; undefined when there is no such token. */
export async function userOfPasswordReset(auth: Auth, token: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
}

/** The token of a link by which somebody can choose a new password; those before it are void. */
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

/** Makes every link void that a user was sent for a new password. */
export async function voidPasswordResets(auth: Auth, user: string): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: user }] })
}

/** Removes what is left of the resets that nobody made use of before `now`. */
export async function purgePasswordResets(auth: Auth, now: Instant): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'verification',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  })
}
