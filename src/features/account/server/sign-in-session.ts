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

export function passCookies(c: HttpContext, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
}

/** Removes the sign-in sessions that ended before `now`. */
export async function purgeSignInSessions(auth: Auth, now: Instant): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'session',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  })
}
