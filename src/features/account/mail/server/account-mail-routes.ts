import { verifyJWT } from 'better-auth/crypto'
import * as z from 'zod/mini'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { refusalOf } from '#platform/http/endpoint/health.ts'
import { errorResponse } from '#platform/http/request/error-response.ts'
import { mailRequestSchema } from '../account-by-mail.ts'
import type { AccountMail } from './account-mail.ts'
import type { MailboxLimit } from './mailbox-limit.ts'
import { badToken, done, doneSchema, linkLimit } from './mailed-link.ts'

// How many mails a client may request. Allows for people who press the button a second and third time. `mailbox-limit.ts`
// separately limits the mail to one address.
const mailLimit = { name: 'mail', max: 5, seconds: 300 }

const onItsWay = {
  status: true,
  message: "If there's an account with this address, an email is on its way.",
} as const

const confirmedAlready = errorResponse(
  400,
  'EMAIL_ALREADY_VERIFIED',
  'This email address is already confirmed.',
)

/**
 * The better-auth endpoints that send mail or follow a link in a mail. Every request for a mail gets the same response, equally
 * fast, whether or not the address has an account: the work is done after the response.
 */
export function accountMailEndpoints(
  { auth }: AccountParts,
  mail: AccountMail,
  mayMail: MailboxLimit,
): Endpoint[] {
  // Pass nothing of the request on: these endpoints do not depend on who is signed in.
  const headers = new Headers()
  return [
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/request-password-reset',
      summary: 'Ask for a mail with a link to choose a new password',
      limit: mailLimit,
      takes: { body: mailRequestSchema },
      responses: { 200: doneSchema },
      async handle({ body }) {
        mail.afterwards(async () => {
          if (await mayMail('password-reset', body.email)) {
            await auth.api.requestPasswordReset({ body, headers })
          }
        })
        return { status: 200, body: onItsWay }
      },
    }),
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/send-verification-email',
      summary: 'Ask for a mail with a link to confirm the address of an account',
      limit: mailLimit,
      takes: { body: mailRequestSchema },
      responses: { 200: doneSchema },
      async handle({ body }) {
        mail.afterwards(async () => {
          if (await mayMail('address-check', body.email)) {
            await auth.api.sendVerificationEmail({ body, headers })
          }
        })
        return { status: 200, body: onItsWay }
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/api/auth/verify-email',
      summary: 'Confirm the address of an account by the token of a mail',
      limit: linkLimit,
      takes: { query: z.object({ token: z.string() }) },
      responses: { 200: doneSchema },
      errors: [503],
      async handle({ query }) {
        if (await isConfirmedAlready(auth, query.token)) return confirmedAlready
        const response = await auth.api.verifyEmail({ query, headers, asResponse: true })
        // better-auth reports a bad token as a 401, which everywhere else here means 'not signed in'.
        if (response.status === 400 || response.status === 401) return badToken
        if (response.status === 500) return refusalOf(auth.storageProblem())
        if (!response.ok) throw new Error(`better-auth answered ${response.status}`)
        return done
      },
    }),
  ]
}

const claimSchema = z.object({ email: z.string() })

/** better-auth would accept a used link again: its token is signed but not stored. */
async function isConfirmedAlready(auth: Auth, token: string): Promise<boolean> {
  const { secret, internalAdapter } = await auth.$context
  const claim = claimSchema.safeParse(await verifyJWT(token, secret))
  if (!claim.success) return false
  const found = await internalAdapter.findUserByEmail(claim.data.email)
  return found?.user.emailVerified ?? false
}
