import * as z from 'zod/mini'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import { recordSessionEnds } from '#features/account/session/server/session-end-store.ts'
import {
  clearSiteData,
  endSignInSessions,
  headersForAuth,
  isSignedInNowhere,
  listSignInSessions,
  signInSessionOf,
} from '#features/account/session/server/sign-in-session.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { notSignedIn } from '#platform/http/request/error-response.ts'
import { isStorable } from '#platform/wire/text.ts'

const deviceSchema = z.object({
  id: z.string(),
  /** The session token. It signs nobody in without the signature that only the cookie contains. */
  token: z.string(),
  userId: z.string(),
  ipAddress: z.nullish(z.string()),
  userAgent: z.nullish(z.string()),
  createdAt: z.iso.datetime(),
  /** When the session was last used, to the hour. */
  updatedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

const responses = { 200: z.object({ status: z.literal(true) }) }
const ended = { status: 200, body: { status: true } } as const
/** A browser that ended its own session loses its cookie the next time it asks who is signed in. */
const endedHere = { ...ended, headers: clearSiteData }

/**
 * The devices on which a person is signed in, under better-auth's endpoint names and with its responses. better-auth's own
 * endpoints are not used, because they list devices only within a day of signing in, and see only the first hundred sessions.
 * They also report success even if ending a session failed.
 */
export function deviceEndpoints({
  auth,
  database,
  addressOf,
  onSignedOutEverywhere,
  now,
}: AccountParts): Endpoint[] {
  async function recordOthers(user: string, isEnded: (token: string) => boolean): Promise<void> {
    const tokens = (await listSignInSessions(auth, user)).map(({ token }) => token).filter(isEnded)
    await recordSessionEnds(database, tokens, 'signed-out', now())
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/list-sessions',
      summary: 'The sign-in sessions that have not ended, the last used first',
      takes: {},
      responses: { 200: z.array(deviceSchema) },
      async handle({ user }) {
        const sessions = await listSignInSessions(auth, user)
        return {
          status: 200,
          body: sessions.map(({ id, token, userId, ipAddress, userAgent, ...at }) => ({
            id,
            token,
            userId,
            ipAddress,
            userAgent,
            createdAt: at.createdAt.toISOString(),
            updatedAt: at.updatedAt.toISOString(),
            expiresAt: at.expiresAt.toISOString(),
          })),
        }
      },
    }),
    endpointWithContext({
      method: 'POST',
      path: '/api/auth/revoke-session',
      summary: 'End one sign-in session; done also when it has ended already',
      takes: { body: z.object({ token: z.string().check(z.maxLength(200), z.refine(isStorable)) }) },
      responses,
      async handle({ c, user, body: { token } }) {
        const own = await signInSessionOf(auth, c, addressOf(c))
        if (token !== own?.token) await recordOthers(user, (other) => other === token)
        await endSignInSessions(auth, user, { only: token })
        if (await isSignedInNowhere(auth, user)) await onSignedOutEverywhere(user)
        return token === own?.token ? endedHere : ended
      },
    }),
    endpointWithContext({
      method: 'POST',
      path: '/api/auth/revoke-other-sessions',
      summary: 'End every sign-in session but the one that asks',
      takes: {},
      responses,
      async handle({ c, user }) {
        const own = await auth.api.getSession({ headers: headersForAuth(c, addressOf(c)) })
        // The browser's own session ended in the meantime, so it may no longer sign out the other devices.
        if (own?.user.id !== user) return notSignedIn
        await recordOthers(user, (other) => other !== own.session.token)
        await endSignInSessions(auth, user, { except: own.session.token })
        return ended
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/revoke-sessions',
      summary: 'End every sign-in session, the one that asks included',
      takes: {},
      responses,
      async handle({ user }) {
        await endSignInSessions(auth, user)
        await onSignedOutEverywhere(user)
        return endedHere
      },
    }),
  ]
}
