import type { Session } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import type { Instant } from '#platform/calendar/day.ts'
import type { HttpContext } from '#platform/http/context.ts'
import { unreachable } from '#platform/http/health.ts'
import type { Refusal } from '#platform/http/refusal.ts'
import { type Auth, addressHeader } from './auth.ts'

/** What better-auth is shown of a request: who it claims to be, and from where. Nothing else of it is its business. */
export function headersForAuth(c: HttpContext, address: string): Headers {
  const headers = new Headers()
  const cookie = c.req.header('cookie')
  const agent = c.req.header('user-agent')
  if (cookie !== undefined) headers.set('cookie', cookie)
  if (agent !== undefined) headers.set('user-agent', agent.slice(0, 500))
  if (address !== '') headers.set(addressHeader, address)
  return headers
}

/** The id of whoever the cookie signs in. Extends the sign-in session when it is due, hence the cookies passed on. */
export async function signedInUser(
  auth: Auth,
  c: HttpContext,
  address: string,
): Promise<string | undefined | Refusal> {
  if (c.req.header('cookie') === undefined) return undefined
  try {
    const { headers, response } = await auth.api.getSession({
      headers: headersForAuth(c, address),
      returnHeaders: true,
    })
    passCookies(c, headers)
    return response?.user.id
  } catch (error) {
    if (!isAPIError(error)) throw error
    // The session was ended elsewhere at the very moment that it was to be extended here; anything else means that it
    // could not be read, which says nothing of what was asked.
    return error.statusCode === 401 ? undefined : unreachable
  }
}

/** The sign-in session that asks, if it is one. */
export async function signInSessionOf(
  auth: Auth,
  c: HttpContext,
  address: string,
): Promise<Pick<Session, 'id' | 'token'> | undefined> {
  const own = await auth.api.getSession({ headers: headersForAuth(c, address) })
  return own?.session
}

export function passCookies(c: HttpContext, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
}

// More devices than anybody has; a program that signs in anew for each call can have more.
const listed = 100

/** Those of a user that have not ended, the last used first. */
export async function listSignInSessions(auth: Auth, user: string): Promise<Session[]> {
  const { adapter } = await auth.$context
  return adapter.findMany<Session>({
    model: 'session',
    where: [
      { field: 'userId', value: user },
      { field: 'expiresAt', operator: 'gt', value: new Date() },
    ],
    sortBy: { field: 'updatedAt', direction: 'desc' },
    limit: listed,
  })
}

/** Ends all of a user's, or only one, or all except one; a token of somebody else's is none of them. */
export async function endSignInSessions(
  auth: Auth,
  user: string,
  which: { only?: string; except?: string } = {},
): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'session',
    where: [
      { field: 'userId', value: user },
      ...(which.only === undefined ? [] : [{ field: 'token', value: which.only }]),
      ...(which.except === undefined
        ? []
        : [{ field: 'token', operator: 'ne' as const, value: which.except }]),
    ],
  })
  auth.tellSignedOut(user)
}

/** Removes the sign-in sessions that ended before `now`. */
export async function purgeSignInSessions(auth: Auth, now: Instant): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'session',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  })
}
