import { verifyJWT } from 'better-auth/crypto'
import * as z from 'zod/mini'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint.ts'
import { unreachable } from '#platform/http/health.ts'
import { refuse } from '#platform/http/refusal.ts'
import { mailRequestSchema, passwordResetSchema } from '../account-by-mail.ts'
import type { AccountMail } from './account-mail.ts'
import type { Auth } from './auth.ts'
import { userOfPasswordReset, voidPasswordResets } from './password-reset.ts'

// A person presses a second and a third time; nobody's mailbox is to be filled from here.
const mailLimit = { name: 'mail', max: 5, seconds: 300 }
const linkLimit = { name: 'mail-link', max: 10, seconds: 60 }

const doneSchema = z.looseObject({ status: z.literal(true) })
const done = { status: 200, body: { status: true } } as const
const onItsWay = {
  status: true,
  message: 'If there is an account with this address, a mail is on its way.',
} as const

const badToken = refuse(
  400,
  'INVALID_TOKEN',
  'This link does not work any more: it was used already, or it is too old. Ask for a new mail.',
)
const confirmedAlready = refuse(400, 'EMAIL_ALREADY_VERIFIED', 'This address is confirmed already.')

/**
 * The calls of better-auth that send mail or follow a link in one. Who asks for a mail hears the same, and as quickly,
 * whether the address has an account or not: everything is done after the answer.
 */
export function accountMailEndpoints(auth: Auth, mail: AccountMail): Endpoint[] {
  // Nothing of the request: who is signed in, if anybody, changes nothing.
  const headers = new Headers()
  return [
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/request-password-reset',
      summary: 'Ask for a mail with a link to choose a new password',
      limit: mailLimit,
      takes: { body: mailRequestSchema },
      answers: { 200: doneSchema },
      async handle({ body }) {
        mail.afterwards(() => auth.api.requestPasswordReset({ body, headers }))
        return { status: 200, body: onItsWay }
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/reset-password',
      summary: 'Choose a new password by the token of a mail; ends every sign-in session',
      limit: linkLimit,
      takes: { body: passwordResetSchema },
      answers: { 200: doneSchema },
      refusals: [503],
      async handle({ body }) {
        // Anything else was never sent, and a database need not be asked for it.
        if (!/^[\w-]{1,100}$/.test(body.token)) return badToken
        const user = await userOfPasswordReset(auth, body.token)
        if (user === undefined) return badToken
        const response = await auth.api.resetPassword({ body, headers, asResponse: true })
        if (response.status === 400) return badToken
        if (response.status === 500) return unreachable
        if (!response.ok) throw new Error(`better-auth answered ${response.status}`)
        // An older mail of the same person would otherwise open the account for the rest of its hour.
        await voidPasswordResets(auth, user)
        return done
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/send-verification-email',
      summary: 'Ask for a mail with a link to confirm the address of an account',
      limit: mailLimit,
      takes: { body: mailRequestSchema },
      answers: { 200: doneSchema },
      async handle({ body }) {
        mail.afterwards(() => auth.api.sendVerificationEmail({ body, headers }))
        return { status: 200, body: onItsWay }
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/api/auth/verify-email',
      summary: 'Confirm the address of an account by the token of a mail',
      limit: linkLimit,
      takes: { query: z.object({ token: z.string() }) },
      answers: { 200: doneSchema },
      refusals: [503],
      async handle({ query }) {
        if (await isConfirmedAlready(auth, query.token)) return confirmedAlready
        const response = await auth.api.verifyEmail({ query, headers, asResponse: true })
        // As better-auth has it, a bad token is a 401, which everywhere else here means: not signed in.
        if (response.status === 400 || response.status === 401) return badToken
        if (response.status === 500) return unreachable
        if (!response.ok) throw new Error(`better-auth answered ${response.status}`)
        return done
      },
    }),
  ]
}

const claimSchema = z.object({ email: z.string() })

/** better-auth would say yes again to a link that was used; its token is signed and kept nowhere. */
async function isConfirmedAlready(auth: Auth, token: string): Promise<boolean> {
  const { secret, internalAdapter } = await auth.$context
  const claim = claimSchema.safeParse(await verifyJWT(token, secret))
  if (!claim.success) return false
  const found = await internalAdapter.findUserByEmail(claim.data.email)
  return found?.user.emailVerified ?? false
}
