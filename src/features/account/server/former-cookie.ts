import type { Instant } from '#platform/calendar/day.ts'
import type { HttpContext } from '#platform/http/context.ts'
import type { Auth } from './auth.ts'

/**
 * What the cookie was called over https at first. Whoever still has it stays signed in, and is given the one of today. This
 * file can go a year after its first release, when no sign-in session is left that began under that name. Until then a page
 * of a sibling domain, which may set it, can sign somebody who is signed out in to an account of its own; over the cookie of
 * today it never wins.
 */
const formerName = '__Secure-daymark.session_token'

/** What better-auth calls the cookie of the sign-in session, where it is kept to https. */
const name = '__Host-daymark.session_token'

/** The cookies of a request as better-auth is to see them. */
export function withFormerCookie(cookies: string): string {
  const former = formerCookie(cookies)
  return former === undefined ? cookies : `${cookies}; ${name}=${former}`
}

/** Where the former cookie was what signed somebody in: from now on the one of today does, for as long. */
export async function renameFormerCookie(
  auth: Auth,
  c: HttpContext,
  until: Instant,
  now: Instant,
): Promise<void> {
  const former = formerCookie(c.req.header('cookie') ?? '')
  const { authCookies } = await auth.$context
  // Over plain http it signs nobody in.
  if (former === undefined || authCookies.sessionToken.name !== name) return
  const seconds = Math.floor((until - now) / 1000)
  c.header('Set-Cookie', `${name}=${former}; Max-Age=${seconds}; ${attributes}`, { append: true })
  takeFormerCookieAway(c)
}

/** Once there is a cookie of today, or none any more. */
export function takeFormerCookieAway(c: HttpContext): void {
  if (cookieOf(c.req.header('cookie') ?? '', formerName) === undefined) return
  c.header('Set-Cookie', `${formerName}=; Max-Age=0; ${attributes}`, { append: true })
}

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** Undefined where there is one of today: it counts, also where it signs nobody in. */
function formerCookie(cookies: string): string | undefined {
  return cookieOf(cookies, name) === undefined ? cookieOf(cookies, formerName) : undefined
}

/** As it is written: the first of the name, which is better-auth's choice too. */
export function cookieOf(cookies: string, ofName: string): string | undefined {
  const start = `${ofName}=`
  const found = cookies
    .split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(start))
  return found?.slice(start.length)
}
