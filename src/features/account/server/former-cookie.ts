import type { Instant } from '#platform/calendar/day.ts'
import type { HttpContext } from '#platform/http/context.ts'
import type { Auth } from './auth.ts'

/**
 * The original name of the cookie over https. Browsers that still have it stay signed in and get today's cookie. This file
 * can be deleted a year after its first release, when no session that began under that name is left. Until then, a page on
 * a sibling domain, which may set this cookie, can sign a signed-out person in to an account of its own; it never overrides
 * today's cookie.
 */
const formerName = '__Secure-daymark.session_token'

/** better-auth's name for the session cookie over https. */
const name = '__Host-daymark.session_token'

/** The request's cookies, as better-auth should see them. */
export function withFormerCookie(cookies: string): string {
  const former = formerCookie(cookies)
  return former === undefined ? cookies : `${cookies}; ${name}=${former}`
}

/** If the former cookie signed somebody in, replaces it with today's cookie for the same time. */
export async function renameFormerCookie(
  auth: Auth,
  c: HttpContext,
  until: Instant,
  now: Instant,
): Promise<void> {
  const former = formerCookie(c.request.header('cookie') ?? '')
  const { authCookies } = await auth.$context
  // Over plain http it signs nobody in.
  if (former === undefined || authCookies.sessionToken.name !== name) return
  const seconds = Math.floor((until - now) / 1000)
  c.addCookie(`${name}=${former}; Max-Age=${seconds}; ${attributes}`)
  removeFormerCookie(c)
}

/** Call when there is a cookie of today, or none any more. */
export function removeFormerCookie(c: HttpContext): void {
  if (cookieOf(c.request.header('cookie') ?? '', formerName) === undefined) return
  c.addCookie(`${formerName}=; Max-Age=0; ${attributes}`)
}

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** Undefined if there is a cookie of today: that one counts, even if it signs nobody in. */
function formerCookie(cookies: string): string | undefined {
  return cookieOf(cookies, name) === undefined ? cookieOf(cookies, formerName) : undefined
}

/** The raw value; the first one of that name, as better-auth also chooses. */
export function cookieOf(cookies: string, cookieName: string): string | undefined {
  const start = `${cookieName}=`
  const found = cookies
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(start))
  return found?.slice(start.length)
}
