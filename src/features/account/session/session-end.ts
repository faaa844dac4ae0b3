import * as z from 'zod/mini'

/** Why a sign-in session ended, if the server knows and the session's own browser did not ask for it. */
export const sessionEndSchema = z.enum([
  'signed-out',
  'password-changed',
  'account-closed',
  'account-deleted',
])
export type SessionEnd = z.infer<typeof sessionEndSchema>

/** Sent when nobody is signed in: explains why, to a browser that still has the cookie of the session. */
export const sessionEndHeader = 'x-daymark-ended'
