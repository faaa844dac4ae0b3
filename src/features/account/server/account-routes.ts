import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { HttpContext } from '#platform/http/context.ts'
import { type Endpoint, endpointWithContext, publicEndpoint } from '#platform/http/endpoint.ts'
import { refuse } from '#platform/http/refusal.ts'
import {
  accountDeletionSchema,
  passwordChangeSchema,
  signInSchema,
  signUpSchema,
  userSchema,
} from '../account.ts'
import { instanceSchema } from '../instance.ts'
import type { AccountMail } from './account-mail.ts'
import { accountMailEndpoints } from './account-mail-routes.ts'
import type { Auth } from './auth.ts'
import { answerOf, failureOfAuth } from './auth-answer.ts'
import { deviceEndpoints } from './device-routes.ts'
import { passwordHashOf } from './password-hash.ts'
import { voidPasswordResets } from './password-reset.ts'
import { profileEndpoints } from './profile-routes.ts'
import { endSignInSessions, headersForAuth, passCookies } from './sign-in-session.ts'
import { removeUnfinishedSignUp } from './unfinished-sign-up.ts'

// Enough for a family behind one address, and little for somebody who tries passwords.
const signInLimit = { name: 'sign-in', max: 10, seconds: 60 }
const signUpLimit = { name: 'sign-up', max: 5, seconds: 60 }
// Counted by the account, since whoever holds somebody's sign-in session can try passwords from many addresses.
const passwordLimit = { name: 'password', max: 10, seconds: 60, per: 'user' } as const

// better-auth answers more than is promised here, and is passed on as it is.
const answeredUserSchema = z.looseObject(userSchema.shape)
const signedInSchema = z.looseObject({ token: z.string(), user: answeredUserSchema })
const sessionSchema = z.nullable(
  z.looseObject({ user: answeredUserSchema, session: z.looseObject({ expiresAt: z.string() }) }),
)
const signedOutSchema = z.looseObject({ success: z.literal(true) })
const passwordChangedSchema = z.looseObject({ token: z.string(), user: answeredUserSchema })
const deletedSchema = z.looseObject({ success: z.literal(true) })

export interface AccountParts {
  auth: Auth
  database: Database
  /** Undefined where no mail is sent: then its calls are not there. */
  mail: AccountMail | undefined
  signUp: 'open' | 'closed'
  addressOf(c: HttpContext): string
  now(): Instant
}

/** The calls of better-auth that are open, under its own names and with its own answers. */
export function accountEndpoints(parts: AccountParts): Endpoint[] {
  const { auth, database, mail, signUp, addressOf, now } = parts
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
    ...(mail ? accountMailEndpoints(auth, mail) : []),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-up/email',
      summary: 'Make an account and sign in to it',
      limit: signUpLimit,
      takes: { body: signUpSchema },
      answers: { 200: signedInSchema },
      refusals: [403, 422],
      async handle({ c, body }) {
        if (signUp === 'closed') return refuse(403, 'SIGN_UP_CLOSED', 'This Daymark takes no new accounts.')
        await removeUnfinishedSignUp(auth, body.email, now())
        const headers = headersForAuth(c, addressOf(c))
        const signUpOnce = () => auth.api.signUpEmail({ body, headers, asResponse: true })
        const response = await signUpOnce()
        // Of two at the same time, the second finds the email taken too late to say so: asked again, it does.
        return answerOf(c, (await couldNotCreate(response)) ? await signUpOnce() : response, signedInSchema)
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      summary: 'Sign in',
      limit: signInLimit,
      takes: { body: signInSchema },
      answers: { 200: signedInSchema },
      refusals: [401],
      async handle({ c, body }) {
        const headers = headersForAuth(c, addressOf(c))
        const before = await passwordHashOf(auth, body.email)
        const response = await auth.api.signInEmail({ body, headers, asResponse: true })
        if (response.ok && (await passwordHashOf(auth, body.email)) !== before) {
          // Changed while the old one was still being checked: a new password leaves no way in by the old one.
          const { token, user } = signedInSchema.parse(await response.json())
          await endSignInSessions(auth, user.id, { only: token })
          return refuse(401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password')
        }
        return answerOf(c, response, signedInSchema)
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-out',
      summary: 'Sign out; done also when nobody was signed in',
      takes: {},
      answers: { 200: signedOutSchema },
      async handle({ c }) {
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.signOut({ headers, asResponse: true })
        return answerOf(c, response, signedOutSchema)
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/api/auth/get-session',
      summary: 'Who is signed in; null when nobody is',
      takes: {},
      answers: { 200: sessionSchema },
      async handle({ c }) {
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.getSession({ headers, asResponse: true })
        if (response.status === 401) {
          // It was ended elsewhere at the very moment that it was to be extended here.
          passCookies(c, response.headers)
          return { status: 200, body: null }
        }
        return answerOf(c, response, sessionSchema)
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
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.changePassword({
          body: { currentPassword, newPassword, revokeOtherSessions: true },
          headers,
          asResponse: true,
        })
        const answer = await answerOf(c, response, passwordChangedSchema)
        if (answer.status !== 200) return answer
        // Of two changes at the same time, each would leave the other's sign-in session be.
        await endSignInSessions(auth, user, { except: answer.body.token })
        // A mail that somebody else may have asked for opens nothing any more.
        await voidPasswordResets(auth, user)
        return answer
      },
    }),
    ...deviceEndpoints(auth, addressOf),
    endpointWithContext({
      method: 'POST',
      path: '/api/auth/delete-user',
      summary:
        'Delete the account and all that belongs to it; a day after the sign-in only with the password',
      limit: passwordLimit,
      takes: { body: accountDeletionSchema },
      answers: { 200: deletedSchema },
      async handle({ c, body: { password } }) {
        const headers = headersForAuth(c, addressOf(c))
        const body = password === undefined ? {} : { password }
        const response = await auth.api.deleteUser({ body, headers, asResponse: true })
        return answerOf(c, response, deletedSchema)
      },
    }),
  ]
}

async function couldNotCreate(response: Response): Promise<boolean> {
  if (response.status !== 422) return false
  return failureOfAuth.safeParse(await response.clone().json()).data?.code === 'FAILED_TO_CREATE_USER'
}
