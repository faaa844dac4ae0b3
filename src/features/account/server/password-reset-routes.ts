import * as z from 'zod/mini'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint.ts'
import { refusalOf } from '#platform/http/health.ts'
import { refuse } from '#platform/http/refusal.ts'
import { passwordResetSchema } from '../account-by-mail.ts'
import type { AccountParts } from './account-parts.ts'
import { noteEndings } from './ending-store.ts'
import { exportAccount } from './exported-account-store.ts'
import { rememberAccount } from './known-device.ts'
import { linkLimit } from './link-limit.ts'
import { refuseGuessable } from './new-password.ts'
import { userOfPasswordReset, voidPasswordResets } from './password-reset.ts'
import { listSignInSessions } from './sign-in-session.ts'

export const doneSchema = z.looseObject({ status: z.literal(true) })
export const done = { status: 200, body: { status: true } } as const

export const badToken = refuse(
  400,
  'INVALID_TOKEN',
  'This link no longer works: it has already been used or has expired. Request a new one.',
)

// Nothing of the request: who is signed in, if anybody, changes nothing.
const headers = new Headers()

/** Also where no mail is sent: there the operator hands the link over (`npm run admin -- users reset`). */
export function passwordResetEndpoint({ auth, database, now }: AccountParts): Endpoint {
  return publicEndpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    summary:
      'Choose a new password by the token of a link, mailed or handed over by the operator; ends every sign-in session',
    limit: linkLimit,
    takes: { body: passwordResetSchema },
    answers: { 200: doneSchema },
    refusals: [503],
    async handle({ c, body }) {
      // Anything else was never sent, and a database need not be asked for it.
      if (!/^[\w-]{1,100}$/.test(body.token)) return badToken
      const user = await userOfPasswordReset(auth, body.token)
      const person = user === undefined ? undefined : await exportAccount(database, user)
      if (user === undefined || !person) return badToken
      const guessable = await refuseGuessable('newPassword', body.newPassword, person)
      if (guessable) return guessable
      const before = await listSignInSessions(auth, user)
      const response = await auth.api.resetPassword({ body, headers, asResponse: true })
      if (response.status === 400) return badToken
      if (response.status === 500) return refusalOf(auth.storageProblem())
      if (!response.ok) throw new Error(`better-auth answered ${response.status}`)
      const ended = before.map(({ token }) => token)
      await noteEndings(database, ended, 'password-changed', now())
      // An older link of the same person would otherwise open the account for as long as it holds.
      await voidPasswordResets(auth, user)
      // Whoever has the link is the owner: the way in for those whom somebody else's guesses hold up.
      await rememberAccount(auth, c, person.email)
      return done
    },
  })
}
