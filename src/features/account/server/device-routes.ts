import * as z from 'zod/mini'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint.ts'
import { notSignedIn } from '#platform/http/refusal.ts'
import { isStorable } from '#platform/wire/text.ts'
import type { AccountParts } from './account-parts.ts'
import { noteEndings } from './ending-store.ts'
import {
  endSignInSessions,
  forgetting,
  headersForAuth,
  isSignedInNowhere,
  listSignInSessions,
  signInSessionOf,
} from './sign-in-session.ts'

const deviceSchema = z.object({
  id: z.string(),
  /** Names the sign-in session; without its signature it signs nobody in. */
  token: z.string(),
  userId: z.string(),
  ipAddress: z.nullish(z.string()),
  userAgent: z.nullish(z.string()),
  createdAt: z.iso.datetime(),
  /** The last use, to the hour. */
  updatedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

const answers = { 200: z.object({ status: z.literal(true) }) }
const ended = { status: 200, body: { status: true } } as const
/** This browser's own: the cookie is taken away when it asks who is signed in. */
const endedHere = { ...ended, headers: forgetting }

/**
 * The devices on which a person is signed in, with better-auth's names and answers. Its own calls are not asked: they
 * show the list only within a day of the sign-in, know the first hundred alone, and say 'ended' when that failed.
 */
export function deviceEndpoints({ auth, database, addressOf, leftByAll, now }: AccountParts): Endpoint[] {
  async function noteOthers(user: string, isEnded: (token: string) => boolean): Promise<void> {
    const tokens = (await listSignInSessions(auth, user)).map(({ token }) => token).filter(isEnded)
    await noteEndings(database, tokens, 'signed-out', now())
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/list-sessions',
      summary: 'The sign-in sessions that have not ended, the last used first',
      takes: {},
      answers: { 200: z.array(deviceSchema) },
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
      answers,
      async handle({ c, user, body: { token } }) {
        const own = await signInSessionOf(auth, c, addressOf(c))
        if (token !== own?.token) await noteOthers(user, (other) => other === token)
        await endSignInSessions(auth, user, { only: token })
        if (await isSignedInNowhere(auth, user)) await leftByAll(user)
        return token === own?.token ? endedHere : ended
      },
    }),
    endpointWithContext({
      method: 'POST',
      path: '/api/auth/revoke-other-sessions',
      summary: 'End every sign-in session but the one that asks',
      takes: {},
      answers,
      async handle({ c, user }) {
        const own = await auth.api.getSession({ headers: headersForAuth(c, addressOf(c)) })
        // It was ended meanwhile, and what it asked for is not done.
        if (own?.user.id !== user) return notSignedIn
        await noteOthers(user, (other) => other !== own.session.token)
        await endSignInSessions(auth, user, { except: own.session.token })
        return ended
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/revoke-sessions',
      summary: 'End every sign-in session, the one that asks included',
      takes: {},
      answers,
      async handle({ user }) {
        await endSignInSessions(auth, user)
        await leftByAll(user)
        return endedHere
      },
    }),
  ]
}
