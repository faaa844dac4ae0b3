import { passwordResetSchema } from '#features/account/mail/account-by-mail.ts'
import { badToken, done, doneSchema, linkLimit } from '#features/account/mail/server/mailed-link.ts'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import { exportAccount } from '#features/account/session/server/exported-account-store.ts'
import { recordSessionEnds } from '#features/account/session/server/session-end-store.ts'
import { listSignInSessions } from '#features/account/session/server/sign-in-session.ts'
import { rememberAccount } from '#features/account/sign-in/server/known-device.ts'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { refusalOf } from '#platform/http/endpoint/health.ts'
import { refuseGuessable } from './new-password.ts'
import { userOfPasswordReset, voidPasswordResets } from './password-reset.ts'

// Nothing of the request is passed on: it makes no difference who is signed in, if anybody.
const headers = new Headers()

/** Open even if no mail is sent: then the operator hands out the link (`npm run admin -- users reset`). */
export function passwordResetEndpoint({ auth, database, now }: AccountParts): Endpoint {
  return publicEndpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    summary:
      'Choose a new password by the token of a link, mailed or handed over by the operator; ends every sign-in session',
    limit: linkLimit,
    takes: { body: passwordResetSchema },
    responses: { 200: doneSchema },
    errors: [503],
    async handle({ c, body }) {
      // Any other format was never issued, so the database need not be asked.
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
      await recordSessionEnds(database, ended, 'password-changed', now())
      // Otherwise an older link of the same person would keep opening the account until it expires.
      await voidPasswordResets(auth, user)
      // Whoever has the link is the owner: this is the way in for people whom somebody else's guesses keep out.
      await rememberAccount(auth, c, person.email)
      return done
    },
  })
}
