import * as z from 'zod/mini'

/** Why a sign-in session has ended, where the server knows and its own browser did not ask for it. */
export const endingSchema = z.enum(['signed-out', 'password-changed', 'account-closed', 'account-deleted'])
export type Ending = z.infer<typeof endingSchema>

/** Of the answer that nobody is signed in: says why, to the browser that still has the cookie of the session. */
export const endingHeader = 'x-daymark-ended'
