import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { SignedIn } from '#platform/http/context.ts'
import type { Auth } from './auth.ts'
import { sessionReader } from './session-store.ts'

/** Those whose signature is known to be right; each takes some 500 bytes, and never more than 1.5 KB. */
const mostSigned = 10_000
const longestSigned = 1_000

/** Whom a cookie signs in, or undefined where that has to be asked of better-auth. */
export type QuickSignIn = (cookies: string | undefined) => Promise<SignedIn | undefined>

/**
 * Whom a cookie signs in, found out the way that better-auth does it but for a twentieth of what that costs: the cookie's
 * signature, and the sign-in session as the database has it at that moment, so that one that was ended is out at once.
 * It only ever says yes. Of everything else better-auth has the word: no, and which cookie to take away; or that the
 * session, used for the first time in an hour, is to be extended.
 */
export function quickSignIn(database: Database, auth: Auth, clock: () => Instant): QuickSignIn {
  const readSession = sessionReader(database)
  const starting = auth.$context.then(({ secret, authCookies, sessionConfig }) => ({
    key: createSecretKey(Buffer.from(secret)),
    cookie: authCookies.sessionToken.name,
    extendedEvery: sessionConfig.updateAge * 1000,
  }))
  let settings: Awaited<typeof starting> | undefined
  // By all the cookies that were sent: what was signed rightly once is so for ever. Whether it still signs anybody in, the
  // database says each time.
  const signed = new Map<string, string>()
  return async (cookies) => {
    if (cookies === undefined) return undefined
    settings ??= await starting
    const { key, cookie, extendedEvery } = settings
    const known = signed.get(cookies)
    const token = known ?? signedToken(cookies, cookie, key)
    if (token === undefined) return undefined
    if (known === undefined && cookies.length <= longestSigned) {
      if (signed.size >= mostSigned) signed.clear()
      signed.set(cookies, token)
    }
    const session = await readSession(token)
    const now = clock()
    if (!session || session.expiresAt <= now || session.usedAt + extendedEvery <= now) return undefined
    return { user: session.user, token, revision: session.revision }
  }
}

/** Of the sign-in session whose cookie is among these, whether or not it has ended; undefined unless we signed it. */
export async function signedTokenOf(auth: Auth, cookies: string): Promise<string | undefined> {
  const { secret, authCookies } = await auth.$context
  return signedToken(cookies, authCookies.sessionToken.name, createSecretKey(Buffer.from(secret)))
}

function signedToken(cookies: string, name: string, key: KeyObject): string | undefined {
  const written = onlyCookie(cookies, name)
  // A copy: what was cut out of a header keeps all of it in memory.
  const token = written === undefined ? undefined : signedValue(written, key)
  return token === undefined ? undefined : Buffer.from(token).toString()
}

/** As it is written; undefined where there are several of the name, since better-auth decides which counts. */
function onlyCookie(cookies: string, name: string): string | undefined {
  const start = `${name}=`
  const found = cookies
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) : undefined
}

/** The value before the signature, if that is the right one. */
function signedValue(written: string, key: KeyObject): string | undefined {
  const text = decoded(written)
  // As browsers send back what they were sent. Otherwise one cookie could be written, and remembered, in many ways.
  if (encodeURIComponent(text) !== written) return undefined
  const end = text.lastIndexOf('.')
  const value = text.slice(0, Math.max(0, end))
  const given = Buffer.from(text.slice(end + 1))
  const right = Buffer.from(createHmac('sha256', key).update(value).digest('base64'))
  return given.byteLength === right.byteLength && timingSafeEqual(given, right) ? value : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
