import * as z from 'zod/mini'
import { type Endpoint, type Limit, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { sessionEndHeader } from '../session-end.ts'
import type { AccountParts } from './account-parts.ts'
import { authUserSchema, readAuthResponse } from './auth-response.ts'
import { sessionEndOf } from './session-end-store.ts'
import { signedTokenOf } from './session-lookup.ts'
import { headersForAuth, isSignedInNowhere, openSessionOf, passCookies } from './sign-in-session.ts'

/**
 * The better-auth calls that need no sign-in cost about as much as twenty reads of lists. The limit is generous, because the app
 * makes one call at each start, and people share IP addresses.
 */
export const sessionLimit: Limit = { name: 'session', max: 300, seconds: 10, counted: 'in memory' }

const sessionSchema = z.nullable(
  z.looseObject({ user: authUserSchema, session: z.looseObject({ expiresAt: z.string() }) }),
)
const signedOutSchema = z.looseObject({ success: z.literal(true) })

/** The endpoints that tell who is signed in and that sign out. */
export function sessionEndpoints({
  auth,
  database,
  addressOf,
  onSignedOutEverywhere,
}: AccountParts): Endpoint[] {
  return [
    publicEndpoint({
      method: 'POST',
      path: '/api/auth/sign-out',
      summary: 'Sign out; done also when nobody was signed in',
      limit: sessionLimit,
      takes: {},
      responses: { 200: signedOutSchema },
      async handle({ c }) {
        const headers = headersForAuth(c, addressOf(c))
        const own = await openSessionOf(auth, headers)
        const response = await auth.api.signOut({ headers, asResponse: true })
        const reply = await readAuthResponse(auth, c, response, signedOutSchema)
        if (own && reply.status === 200 && (await isSignedInNowhere(auth, own.userId))) {
          await onSignedOutEverywhere(own.userId)
        }
        return reply
      },
    }),
    publicEndpoint({
      method: 'GET',
      path: '/api/auth/get-session',
      summary: 'Who is signed in; null when nobody is, with why a session has ended where that is known',
      limit: sessionLimit,
      takes: {},
      responses: { 200: sessionSchema },
      async handle({ c }) {
        const headers = headersForAuth(c, addressOf(c))
        const response = await auth.api.getSession({ headers, asResponse: true })
        const nobody = async () => {
          const token = await signedTokenOf(auth, headers.get('cookie') ?? '')
          const why = token === undefined ? undefined : await sessionEndOf(database, token, Date.now())
          return { status: 200, body: null, ...(why && { headers: { [sessionEndHeader]: why } }) } as const
        }
        if (response.status === 401) {
          // The session ended elsewhere at the very moment when better-auth was about to extend it here.
          passCookies(c, response.headers)
          return nobody()
        }
        const reply = await readAuthResponse(auth, c, response, sessionSchema)
        return reply.status === 200 && reply.body === null ? nobody() : reply
      },
    }),
  ]
}
