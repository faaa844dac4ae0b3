import * as z from 'zod/mini'

/** Why a sign-in session ended. Only recorded if something other than the session's own browser ended it. */
export const sessionEndSchema = z.enum([
  'signed-out',
  'password-changed',
  'account-closed',
  'account-deleted',
])
export type SessionEnd = z.infer<typeof sessionEndSchema>

/**
 * The response header that says why the session ended. Sent when nobody is signed in, to a browser that still has the session's
 * cookie.
 */
export const sessionEndHeader = 'x-daymark-ended'
