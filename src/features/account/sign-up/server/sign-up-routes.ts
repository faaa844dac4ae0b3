import { randomBytes, randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import { signUpFinishSchema } from '#features/account/mail/account-by-mail.ts'
import type { AccountMail } from '#features/account/mail/server/account-mail.ts'
import type { MailboxLimit } from '#features/account/mail/server/mailbox-limit.ts'
import { badToken, linkLimit } from '#features/account/mail/server/mailed-link.ts'
import { refuseGuessable } from '#features/account/password/server/new-password.ts'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import {
  authFailureSchema,
  authUserSchema,
  readAuthResponse,
  signedInSchema,
} from '#features/account/session/server/auth-response.ts'
import {
  endSignInSessions,
  headersForAuth,
  openSessionOf,
} from '#features/account/session/server/sign-in-session.ts'
import { type SignUp, signUpSchema } from '#features/account/sign-in/account.ts'
import {
  deviceCookie,
  readDevice,
  rememberAccount,
  rememberDevice,
} from '#features/account/sign-in/server/known-device.ts'
import { signInAs } from '#features/account/sign-in/server/sign-in-without-password.ts'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { errorResponse } from '#platform/http/request/error-response.ts'
import { findSignUp, finishSignUp, saveSignUp } from './sign-up-store.ts'
import { removeUnfinishedSignUp } from './unfinished-sign-up.ts'

const signUpLimit = { name: 'sign-up', max: 5, seconds: 60 }
const linkLifetime = 24 * 60 * 60 * 1000

const closed = errorResponse(403, 'SIGN_UP_CLOSED', "This server isn't accepting new accounts.")

const path = '/api/auth/sign-up/email'

/** Signs up without mail: the account exists at once, and the response reveals whether the email already has one. */
export function signUpEndpoint({ auth, signUp, addressOf, now }: AccountParts): Endpoint {
  return publicEndpoint({
    method: 'POST',
    path,
    summary: 'Make an account and sign in to it; ends the sign-in session that this browser had',
    limit: signUpLimit,
    takes: { body: signUpSchema },
    responses: { 200: signedInSchema },
    errors: [403, 422],
    async handle({ c, body }) {
      if (signUp === 'closed') return closed
      const guessable = await refuseGuessable('password', body.password, body)
      if (guessable) return guessable
      await removeUnfinishedSignUp(auth, body.email, now())
      const headers = headersForAuth(c, addressOf(c))
      const open = await openSessionOf(auth, headers)
      const signUpOnce = () => auth.api.signUpEmail({ body, headers, asResponse: true })
      const first = await signUpOnce()
      // Two sign-ups at the same time: the second learns too late that the email is taken, so try again for the proper error.
      const response = (await couldNotCreate(first)) ? await signUpOnce() : first
      const reply = await readAuthResponse(auth, c, response, signedInSchema)
      if (reply.status !== 200) return reply
      if (open) await endSignInSessions(auth, open.userId, { only: open.token })
      await rememberAccount(auth, c, body.email)
      return reply
    },
  })
}

const onItsWaySchema = z.looseObject({ status: z.literal(true), message: z.string() })
const finishedSchema = z.looseObject({ status: z.literal(true), user: authUserSchema })
/** The response before anything is created: the person has to choose a password. */
const passwordToChooseSchema = z.looseObject({ status: z.literal(false), email: z.string() })

/**
 * Signs up by mail: the account is created when the link in the mail is followed. Everyone who signs up gets the same response,
 * equally fast, whether or not the email has an account; the owner is told by mail (docs/decisions/0034).
 */
export function mailedSignUpEndpoints(
  { auth, database, signUp, addressOf, now }: AccountParts,
  mail: AccountMail,
  mayMail: MailboxLimit,
): Endpoint[] {
  async function sendMail(requested: SignUp, passwordHash: string, device: string): Promise<void> {
    const { name } = requested
    const email = requested.email.toLowerCase()
    if (!(await mayMail('sign-up', email))) return
    await removeUnfinishedSignUp(auth, email, now())
    const { internalAdapter } = await auth.$context
    const found = await internalAdapter.findUserByEmail(email)
    if (found) return mail.alreadyRegistered(found.user)
    const token = randomBytes(32).toString('base64url')
    await saveSignUp(database, { token, email, name, passwordHash, device }, now() + linkLifetime)
    mail.signUp({ name, email }, token)
  }

  return [
    publicEndpoint({
      method: 'POST',
      path,
      summary: 'Ask for a mail whose link makes an account; the same answer for an email that has one',
      limit: signUpLimit,
      takes: { body: signUpSchema },
      responses: { 200: onItsWaySchema },
      errors: [403],
      async handle({ c, body }) {
        if (signUp === 'closed') return closed
        const guessable = await refuseGuessable('password', body.password, body)
        if (guessable) return guessable
        const { password } = await auth.$context
        const passwordHash = await password.hash(body.password)
        const device = rememberDevice(c, await deviceCookie(auth))
        mail.afterwards(() => sendMail(body, passwordHash, device.id))
        const message = `We sent an email to ${body.email}. Follow the link in it to finish.`
        return { status: 200, body: { status: true, message } as const }
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-up/finish',
      summary:
        'Make the account by the token of a mail, and sign in to it; where the sign-up was begun in another browser, it takes a new password, without which the status is false and nothing was made',
      limit: linkLimit,
      takes: { body: signUpFinishSchema },
      responses: { 200: z.union([finishedSchema, passwordToChooseSchema]) },
      errors: [403],
      async handle({ c, body: { token, newPassword } }) {
        if (signUp === 'closed') return closed
        // A token in any other format was never issued, so skip the database.
        if (!/^[\w-]{43}$/.test(token)) return badToken
        const cookie = await deviceCookie(auth)
        const found = await findSignUp(database, { token, device: readDevice(c, cookie)?.id }, now())
        if (!found) return badToken
        const { email, sameDevice } = found
        // A stranger may have signed up with this address and would know the password, so the owner has to choose a new one.
        if (newPassword === undefined && !sameDevice) {
          return { status: 200, body: { status: false, email } as const }
        }
        const guessable = newPassword && (await refuseGuessable('newPassword', newPassword, found))
        if (guessable) return guessable
        const { password } = await auth.$context
        const newHash = newPassword === undefined ? undefined : await password.hash(newPassword)
        const user = randomUUIDv7()
        const hash = await finishSignUp(database, { token, email, newHash }, user, now())
        if (hash === undefined) return badToken
        const signedIn = await signInAs(auth, c, addressOf(c), user)
        if (signedIn.status !== 200) return signedIn
        rememberDevice(c, cookie, { user, hash })
        return { status: 200, body: { status: true, user: signedIn.body.user } as const }
      },
    }),
  ]
}

async function couldNotCreate(response: Response): Promise<boolean> {
  if (response.status !== 422) return false
  return authFailureSchema.safeParse(await response.clone().json()).data?.code === 'FAILED_TO_CREATE_USER'
}
