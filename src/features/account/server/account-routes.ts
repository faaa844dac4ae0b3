import * as z from 'zod/mini'
import {
  type Endpoint,
  endpointWithContext,
  type Limit,
  publicEndpoint,
} from '#platform/http/endpoint/endpoint.ts'
import { errorResponse, notSignedIn } from '#platform/http/request/error-response.ts'
import { deviceEndpoints } from '../devices/server/device-routes.ts'
import { invitationEndpoints } from '../invitations/server/invitation-routes.ts'
import type { AccountMail } from '../mail/server/account-mail.ts'
import { accountMailEndpoints } from '../mail/server/account-mail-routes.ts'
import { mailboxLimit } from '../mail/server/mailbox-limit.ts'
import { refuseGuessable } from '../password/server/new-password.ts'
import { voidPasswordResets } from '../password/server/password-reset.ts'
import { passwordResetEndpoint } from '../password/server/password-reset-routes.ts'
import { profileEndpoints } from '../profile/server/profile-routes.ts'
import { endingHeader } from '../session/ending.ts'
import type { AccountParts } from '../session/server/account-parts.ts'
import { authUserSchema, readAuthResponse } from '../session/server/auth-answer.ts'
import { endingOf } from '../session/server/ending-store.ts'
import { exportAccount } from '../session/server/exported-account-store.ts'
import { signedTokenOf } from '../session/server/session-lookup.ts'
import {
  headersForAuth,
  isSignedInNowhere,
  openSessionOf,
  passCookies,
} from '../session/server/sign-in-session.ts'
import { accountDeletionSchema, passwordChangeSchema } from '../sign-in/account.ts'
import { instanceSchema } from '../sign-in/instance.ts'
import { rememberAccount } from '../sign-in/server/known-device.ts'
import { passwordOf, replacePassword } from '../sign-in/server/password.ts'
import { signInEndpoint } from '../sign-in/server/sign-in-routes.ts'
import { mailedSignUpEndpoints, signUpEndpoint } from '../sign-up/server/sign-up-routes.ts'

// Limited by account: whoever holds somebody's sign-in session can try passwords from many addresses.
const passwordLimit = { name: 'password', max: 10, seconds: 60, per: 'user' } as const

/**
 * The better-auth calls that need no sign-in cost about as much as twenty lists. The limit is generous because the app
 * makes one at each start, and people share addresses.
 */
export const sessionLimit: Limit = { name: 'session', max: 300, seconds: 10, counted: 'in memory' }

const sessionSchema = z.nullable(
  z.looseObject({ user: authUserSchema, session: z.looseObject({ expiresAt: z.string() }) }),
)
const signedOutSchema = z.looseObject({ success: z.literal(true) })
const passwordChangedSchema = z.looseObject({ token: z.string(), user: authUserSchema })
const deletedSchema = z.looseObject({ success: z.literal(true) })

// With two new passwords beside it, the message has to say which one is wrong.
const wrongCurrentPassword = errorResponse(400, 'INVALID_PASSWORD', 'Your current password is incorrect.')

interface Parts extends AccountParts {
  /** Undefined if no mail is sent: then the endpoints that send it do not exist. */
  mail: AccountMail | undefined
}

/** The better-auth endpoints that are open here, under its own names and with its own responses. */
export function accountEndpoints(parts: Parts): Endpoint[] {
  const { auth, database, mail, signUp, rateLimit, addressOf, onSignedOutEverywhere, now } = parts
  const mayMail = rateLimit ? mailboxLimit(database, auth, now) : async () => true
  return [
    publicEndpoint({
      method: 'GET',
      path: '/api/instance',
      summary: 'Whether new accounts can be made here, and whether mail is sent',
      takes: {},
      answers: { 200: instanceSchema },
      async handle() {
        return { status: 200, body: { sign_up: signUp, mail: mail !== undefined } }
      },
    }),
    ...(mail ? accountMailEndpoints(parts, mail, mayMail) : []),
    passwordResetEndpoint(parts),
    ...invitationEndpoints(parts),
    ...(mail ? mailedSignUpEndpoints(parts, mail, mayMail) : [signUpEndpoint(parts)]),
    signInEndpoint(parts),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-out',
      summary: 'Sign out; done also when nobody was signed in',
      limit: sessionLimit,
      takes: {},
      answers: { 200: signedOutSchema },
      async handle({ c }) {
        const headers = headersForAuth(c, addressOf(c))
        const own = await openSessionOf(auth, headers)
        const response = await auth.api.signOut({ headers, asResponse: true })
        const answer = await readAuthResponse(auth, c, response, signedOutSchema)
        if (own && answer.status === 200 && (await isSignedInNowhere(auth, own.userId))) {
          await onSignedOutEverywhere(own.userId)
        }
        return answer
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/api/auth/get-session',
      summary: 'Who is signed in; null when nobody is, with why a session has ended where that is known',
      limit: sessionLimit,
      takes: {},
      answers: { 200: sessionSchema },
      async handle({ c }) {
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.getSession({ headers, asResponse: true })
        const nobody = async () => {
          const token = await signedTokenOf(auth, headers.get('cookie') ?? '')
          const why = token === undefined ? undefined : await endingOf(database, token, Date.now())
          return { status: 200, body: null, ...(why && { headers: { [endingHeader]: why } }) } as const
        }
        if (response.status === 401) {
          // The session was ended elsewhere at the very moment when it was to be extended here.
          passCookies(c, response.headers)
          return nobody()
        }
        const answer = await readAuthResponse(auth, c, response, sessionSchema)
        return answer.status === 200 && answer.body === null ? nobody() : answer
      },
    }),
    ...profileEndpoints(database, now),
    endpointWithContext({
      method: 'POST',
      path: '/api/auth/change-password',
      summary:
        'Choose a new password; signs out every other device, and gives this one a new sign-in session',
      limit: passwordLimit,
      takes: { body: passwordChangeSchema },
      answers: { 200: passwordChangedSchema },
      async handle({ c, user, body: { currentPassword, newPassword } }) {
        const person = await exportAccount(database, user)
        if (!person) return notSignedIn
        const guessable = await refuseGuessable('newPassword', newPassword, person)
        if (guessable) return guessable
        const before = await passwordOf(auth, person.email)
        if (!before) return notSignedIn
        const { password } = await auth.$context
        const isRight = await password.verify({ hash: before.hash, password: currentPassword })
        if (!isRight) return wrongCurrentPassword
        const newHash = await password.hash(newPassword)
        const isReplaced = await replacePassword(database, { before, newHash }, now())
        if (!isReplaced) return wrongCurrentPassword
        // Reset links that somebody else may have requested no longer work.
        await voidPasswordResets(auth, user)
        // The device's cookie was bound to the old password.
        await rememberAccount(auth, c, person.email)
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.startSession({ body: { user }, headers, asResponse: true })
        return readAuthResponse(auth, c, response, passwordChangedSchema)
      },
    }),
    ...deviceEndpoints(parts),
    endpointWithContext({
      method: 'POST',
      path: '/api/auth/delete-user',
      summary: 'Delete the account and all that belongs to it, with the password',
      limit: passwordLimit,
      takes: { body: accountDeletionSchema },
      answers: { 200: deletedSchema },
      async handle({ c, body: { password } }) {
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.deleteUser({ body: { password }, headers, asResponse: true })
        return readAuthResponse(auth, c, response, deletedSchema)
      },
    }),
  ]
}
