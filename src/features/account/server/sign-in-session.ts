import type { Session } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import type { Instant } from '#platform/calendar/day.ts'
import type { HttpContext } from '#platform/http/context.ts'
import { refusalOf } from '#platform/http/health.ts'
import type { Refusal } from '#platform/http/refusal.ts'
import { type Auth, addressHeader } from './auth.ts'
import { cookieOf, renameFormerCookie, takeFormerCookieAway, withFormerCookie } from './former-cookie.ts'

/** What better-auth is shown of a request: who it claims to be, and from where. Nothing else of it is its business. */
export function headersForAuth(c: HttpContext, address: string): Headers {
  const headers = new Headers()
  const cookie = c.req.header('cookie')
  const agent = c.req.header('user-agent')
  if (cookie !== undefined) headers.set('cookie', withFormerCookie(cookie))
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
  const asked = headersForAuth(c, address)
  try {
    const { headers, response } = await auth.api.getSession({ headers: asked, returnHeaders: true })
    if (!response) {
      // The cookie of a session that has ended stays for get-session: by it, that says why.
      if (setSession(headers)) forgetInBrowser(c)
      return undefined
    }
    passCookies(c, headers)
    await keepSignedIn(auth, c, headers, response.session.expiresAt)
    return response.user.id
  } catch (error) {
    if (!isAPIError(error)) throw error
    // The session was ended elsewhere at the very moment that it was to be extended here.
    if (error.statusCode === 401) return undefined
    const problem = auth.storageProblem()
    if (problem === undefined) return refusalOf(undefined)
    // It could not be extended, and signs in all the same: reading goes on while nothing can be stored.
    const open = await openSessionOf(auth, asked).catch(() => undefined)
    return open?.userId ?? refusalOf(problem)
  }
}

/** The sign-in session that asks, if it is one. Whoever let it in has extended it. */
export async function signInSessionOf(
  auth: Auth,
  c: HttpContext,
  address: string,
): Promise<Pick<Session, 'id' | 'token'> | undefined> {
  return openSessionOf(auth, headersForAuth(c, address))
}

/** Which sign-in session a request comes with, if any; leaves it as it is. */
export async function openSessionOf(
  auth: Auth,
  headers: Headers,
): Promise<Pick<Session, 'id' | 'token' | 'userId'> | undefined> {
  if (!headers.has('cookie')) return undefined
  const open = await auth.api.getSession({ headers, query: { disableRefresh: true } })
  return open?.session
}

/** Passes on the cookies that better-auth sets or takes away. */
export function passCookies(c: HttpContext, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
  const set = setSession(headers)
  if (!set) return
  takeFormerCookieAway(c)
  const before = cookieOf(withFormerCookie(c.req.header('cookie') ?? ''), set.name)
  // The browser is signed out, or somebody else, or the same person anew.
  if (set.value === '' || (before !== undefined && before !== set.value)) forgetInBrowser(c)
}

/** Somebody who is signed in by a cookie that is called otherwise today gets that one, unless better-auth has just given it. */
export async function keepSignedIn(auth: Auth, c: HttpContext, headers: Headers, until: Date): Promise<void> {
  if (!setSession(headers)) await renameFormerCookie(auth, c, until.getTime(), Date.now())
}

/** Nothing that the browser has kept of our answers may be read in it any more, such as a picture. Over https only. */
export const forgetting = { 'Clear-Site-Data': '"cache"' }

function forgetInBrowser(c: HttpContext): void {
  for (const [name, value] of Object.entries(forgetting)) c.header(name, value)
}

/** The cookie of the sign-in session among those that are set; its value is empty where it is taken away. */
function setSession(headers: Headers): { name: string; value: string } | undefined {
  for (const cookie of headers.getSetCookie()) {
    const [, name, value = ''] = /^([\w-]*daymark\.session_token)=([^;]*)/.exec(cookie) ?? []
    if (name !== undefined) return { name, value }
  }
  return undefined
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

/** Of a user who has just signed out somewhere. */
export async function isSignedInNowhere(auth: Auth, user: string): Promise<boolean> {
  return (await listSignInSessions(auth, user)).length === 0
}

/** Removes the sign-in sessions that ended before `now`. */
export async function purgeSignInSessions(auth: Auth, now: Instant): Promise<void> {
  const { adapter } = await auth.$context
  await adapter.deleteMany({
    model: 'session',
    where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
  })
}
