import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { SignedIn } from '#platform/http/request/context.ts'
import type { Auth } from './better-auth.ts'
import { type ReadAlong, sessionReader } from './session-store.ts'

/** How many verified cookies to cache. Each takes some 500 bytes, and at most 1.5 KB. */
const maxCached = 10_000
const maxCachedLength = 1_000

/** Resolves to the person whom a cookie signs in; undefined if only better-auth can tell. */
export type SessionLookup = (cookies: string | undefined) => Promise<SignedIn | undefined>

/**
 * Looks up whom a cookie signs in by better-auth's rules, but at a twentieth of the cost. It checks the cookie's signature and
 * reads the session from the database each time, so that an ended session is refused at once. It only recognises valid sessions;
 * in all other cases better-auth has to refuse, remove a cookie, or extend a session that is used for the first time in an hour.
 */
export function sessionLookup(
  database: Database,
  auth: Auth,
  clock: () => Instant,
  along: ReadAlong,
): SessionLookup {
  const readSession = sessionReader(database, along)
  const loading = auth.$context.then(({ secret, authCookies, sessionConfig }) => ({
    key: createSecretKey(Buffer.from(secret)),
    cookie: authCookies.sessionToken.name,
    extendAfter: sessionConfig.updateAge * 1000,
  }))
  let settings: Awaited<typeof loading> | undefined
  // Session tokens by the whole cookie header. A valid signature stays valid; whether the session still signs anybody in is read
  // from the database each time.
  const verifiedTokens = new Map<string, string>()
  return async (cookies) => {
    if (cookies === undefined) return undefined
    settings ??= await loading
    const { key, cookie, extendAfter } = settings
    const cached = verifiedTokens.get(cookies)
    const token = cached ?? signedToken(cookies, cookie, key)
    if (token === undefined) return undefined
    if (cached === undefined && cookies.length <= maxCachedLength) {
      if (verifiedTokens.size >= maxCached) verifiedTokens.clear()
      verifiedTokens.set(cookies, token)
    }
    const session = await readSession(token)
    const now = clock()
    if (!session || session.expiresAt <= now || session.usedAt + extendAfter <= now) return undefined
    return { user: session.user, token, revision: session.revision, found: session.found }
  }
}

/** The token of the session cookie in this header, even if the session has ended. Undefined unless we signed the cookie. */
export async function signedTokenOf(auth: Auth, cookies: string): Promise<string | undefined> {
  const { secret, authCookies } = await auth.$context
  return signedToken(cookies, authCookies.sessionToken.name, createSecretKey(Buffer.from(secret)))
}

function signedToken(cookies: string, name: string, key: KeyObject): string | undefined {
  const raw = onlyCookie(cookies, name)
  // Copy the token: a substring would keep the whole header in memory.
  const token = raw === undefined ? undefined : signedValue(raw, key)
  return token === undefined ? undefined : Buffer.from(token).toString()
}

/** The cookie's raw value. Undefined if several cookies have the name, because then better-auth decides which one counts. */
function onlyCookie(cookies: string, name: string): string | undefined {
  const start = `${name}=`
  const found = cookies
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) : undefined
}

/** The value before the signature; undefined if the signature is wrong. */
function signedValue(raw: string, key: KeyObject): string | undefined {
  const text = decoded(raw)
  // Browsers send the cookie back exactly as they received it. Accepting other encodings would let one cookie fill the cache
  // under many spellings.
  if (encodeURIComponent(text) !== raw) return undefined
  const end = text.lastIndexOf('.')
  const value = text.slice(0, Math.max(0, end))
  const signature = Buffer.from(text.slice(end + 1))
  const expected = Buffer.from(createHmac('sha256', key).update(value).digest('base64'))
  return signature.byteLength === expected.byteLength && timingSafeEqual(signature, expected)
    ? value
    : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
