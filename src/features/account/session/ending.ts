import * as z from 'zod/mini'

/** Why a sign-in session ended, if the server knows and the session's own browser did not ask for it. */
export const endingSchema = z.enum(['signed-out', 'password-changed', 'account-closed', 'account-deleted'])
export type Ending = z.infer<typeof endingSchema>

/** Sent when nobody is signed in: explains why, to a browser that still has the cookie of the session. */
export const endingHeader = 'x-daymark-ended'
