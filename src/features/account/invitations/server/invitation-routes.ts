import { randomUUIDv7 } from 'node:crypto'
import { linkLimit } from '#features/account/mail/server/mailed-link.ts'
import { refuseGuessable } from '#features/account/password/server/new-password.ts'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import { plainMessages, signedInSchema } from '#features/account/session/server/auth-response.ts'
import { deviceCookie, rememberDevice } from '#features/account/sign-in/server/known-device.ts'
import { signInAs } from '#features/account/sign-in/server/sign-in-without-password.ts'
import { removeUnfinishedSignUp } from '#features/account/sign-up/server/unfinished-sign-up.ts'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { errorResponse } from '#platform/http/request/error-response.ts'
import { refuseField } from '#platform/http/row-calls/when.ts'
import { invitationSchema, invitationTokenSchema, invitedSignUpSchema } from '../invitation.ts'
import { acceptInvitation, findInvitation } from './invitation-store.ts'

const badInvitation = errorResponse(
  400,
  'INVALID_TOKEN',
  'This invitation no longer works: it has already been used or has expired.',
)
const forAnotherAddress = 'This invitation is for another email address.'
// The same error response as at sign-up.
const taken = errorResponse(
  422,
  'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
  plainMessages.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL,
)

/** Open even if sign-up is closed: the operator has invited this person (docs/decisions/0039). */
export function invitationEndpoints({ auth, database, addressOf, now }: AccountParts): Endpoint[] {
  // A token in any other format was never issued, so skip the database.
  const find = async (token: string) =>
    /^[\w-]{43}$/.test(token) ? findInvitation(database, token, now()) : undefined

  return [
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/invitation',
      summary: 'Whom an invitation is for, by its token; leaves it as it is',
      limit: linkLimit,
      takes: { body: invitationTokenSchema },
      responses: { 200: invitationSchema },
      async handle({ body }) {
        const invitation = await find(body.token)
        return invitation ? { status: 200, body: invitation } : badInvitation
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-up/invited',
      summary:
        'Make an account by the token of an invitation, which is used up by it, and sign in; also where sign-up is closed',
      limit: linkLimit,
      takes: { body: invitedSignUpSchema },
      responses: { 200: signedInSchema },
      errors: [403, 422],
      async handle({ c, body: { token, name, email: givenEmail, password } }) {
        const email = givenEmail.toLowerCase()
        const invitation = await find(token)
        if (!invitation) return badInvitation
        if (invitation.email !== undefined && invitation.email !== email) {
          return refuseField('email', forAnotherAddress)
        }
        const guessable = await refuseGuessable('password', password, { name, email })
        if (guessable) return guessable
        await removeUnfinishedSignUp(auth, email, now())
        // Hash before the write: hashing takes long, and no other write should wait for it.
        const passwordHash = await (await auth.$context).password.hash(password)
        const user = randomUUIDv7()
        const outcome = await acceptInvitation(database, token, { user, name, email, passwordHash }, now())
        if (outcome === 'bad-token') return badInvitation
        if (outcome === 'taken') return taken
        const signedIn = await signInAs(auth, c, addressOf(c), user)
        if (signedIn.status !== 200) return signedIn
        rememberDevice(c, await deviceCookie(auth), { user, hash: passwordHash })
        return signedIn
      },
    }),
  ]
}
