import type { Instant } from '#platform/calendar/day.ts'
import type { Auth } from './auth.ts'

/** Of whom better-auth made the token of a reset that can still be done; undefined when there is no such token. */
export async function userOfPasswordReset(auth: Auth, token: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value
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
