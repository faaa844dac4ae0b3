import type { Session } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import type { Instant } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { type Pace, purgeUpTo } from '#platform/database/rows/delete-rows.ts'
import { refusalOf } from '#platform/http/endpoint/health.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import type { ErrorResponse } from '#platform/http/request/error-response.ts'
import { type Auth, addressHeader } from './better-auth.ts'
import { cookieOf } from './cookie-of.ts'

/** What better-auth may see of a request: its cookie, user agent and client address, and nothing else. */
export function headersForAuth(c: HttpContext, address: string): Headers {
  const headers = new Headers()
  const cookie = c.request.header('cookie')
  const agent = c.request.header('user-agent')
  if (cookie !== undefined) headers.set('cookie', cookie)
  if (agent !== undefined) headers.set('user-agent', agent.slice(0, 500))
  if (address !== '') headers.set(addressHeader, address)
  return headers
}

/**
 * The id of the user whom the cookie signs in; undefined if nobody. better-auth may extend the session here, so its new cookies
 * are passed on to the browser.
 */
export async function signedInUser(
  auth: Auth,
  c: HttpContext,
  address: string,
): Promise<string | undefined | ErrorResponse> {
  if (c.request.header('cookie') === undefined) return undefined
  const requestHeaders = headersForAuth(c, address)
  try {
    const { headers, response } = await auth.api.getSession({ headers: requestHeaders, returnHeaders: true })
    if (!response) {
      // Do not remove the cookie of an ended session yet: `get-session` uses it to explain why the session ended.
      if (sessionCookieIn(headers)) clearBrowserCache(c)
      return undefined
    }
    passCookies(c, headers)
    return response.user.id
  } catch (error) {
    if (!isAPIError(error)) throw error
    // The session ended elsewhere at the very moment when better-auth was about to extend it here.
    if (error.statusCode === 401) return undefined
    const problem = auth.storageProblem()
    if (problem === undefined) return refusalOf(undefined)
    // The session could not be extended, but is still valid: people can read while nothing can be stored.
    const open = await openSessionOf(auth, requestHeaders).catch(() => undefined)
    return open?.userId ?? refusalOf(problem)
  }
}

/**
 * The sign-in session of the request, if any. It is not extended here, because the guard that admitted the request has done so.
 */
export async function signInSessionOf(
  auth: Auth,
  c: HttpContext,
  address: string,
): Promise<Pick<Session, 'id' | 'token'> | undefined> {
  return openSessionOf(auth, headersForAuth(c, address))
}

/** The sign-in session of the request, if any. Does not extend it. */
export async function openSessionOf(
  auth: Auth,
  headers: Headers,
): Promise<Pick<Session, 'id' | 'token' | 'userId'> | undefined> {
  if (!headers.has('cookie')) return undefined
  const open = await auth.api.getSession({ headers, query: { disableRefresh: true } })
  return open?.session
}

/** Passes on the cookies that better-auth sets or removes, and clears the browser's cache if the person changes. */
export function passCookies(c: HttpContext, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) c.addCookie(cookie)
  const set = sessionCookieIn(headers)
  if (!set) return
  const before = cookieOf(c.request.header('cookie') ?? '', set.name)
  // The browser is now signed out, signed in as somebody else, or signed in again.
  if (set.value === '' || (before !== undefined && before !== set.value)) clearBrowserCache(c)
}

/** Tells the browser to forget cached responses, such as a picture. Works over https only. */
export const clearSiteData = { 'Clear-Site-Data': '"cache"' }

function clearBrowserCache(c: HttpContext): void {
  for (const [name, value] of Object.entries(clearSiteData)) c.setHeader(name, value)
}

/** The session cookie in a response. Its value is empty if the response removes the cookie. */
function sessionCookieIn(headers: Headers): { name: string; value: string } | undefined {
  for (const cookie of headers.getSetCookie()) {
    const [, name, value = ''] = /^([\w-]*daymark\.session_token)=([^;]*)/.exec(cookie) ?? []
    if (name !== undefined) return { name, value }
  }
  return undefined
}

// The most sessions to list. No person has more devices, but a program that signs in again for each call may.
const maxListed = 100

/** The user's sessions that have not ended, last used first. */
export async function listSignInSessions(auth: Auth, user: string): Promise<Session[]> {
  const { adapter } = await auth.$context
  return adapter.findMany<Session>({
    model: 'session',
    where: [
      { field: 'userId', value: user },
      { field: 'expiresAt', operator: 'gt', value: new Date() },
    ],
    sortBy: { field: 'updatedAt', direction: 'desc' },
    limit: maxListed,
  })
}

/** Ends all of a user's sessions, only one of them, or all except one. A token that belongs to somebody else has no effect. */
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
  auth.notifySignedOut(user)
}

/** Whether the user has no sessions left after signing out somewhere. */
export async function isSignedInNowhere(auth: Auth, user: string): Promise<boolean> {
  return (await listSignInSessions(auth, user)).length === 0
}

/** Removes the sign-in sessions that ended before `now`. */
export async function purgeSignInSessions(db: Database, now: Instant, pace?: Pace): Promise<void> {
  await purgeUpTo(db, 'session', 'expiresAt', instantForAuth(db.engine, now), pace)
}
