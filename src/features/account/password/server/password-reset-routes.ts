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

// Pass nothing of the request on: this endpoint does not depend on who is signed in.
const headers = new Headers()

/** Open even if this server sends no mail: then the operator hands out the link (`npm run admin -- users reset`). */
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
      // A token in any other format was never issued, so skip the database.
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
      // Otherwise an older reset link of the same person would work until it expires.
      await voidPasswordResets(auth, user)
      // Treat whoever has the link as the owner, and this device as known. Somebody else's wrong guesses may have locked the
      // owner out, and a reset is the owner's way in.
      await rememberAccount(auth, c, person.email)
      return done
    },
  })
}
