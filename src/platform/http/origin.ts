import { isLocalHost } from './local-host.ts'
import { type Refusal, refuse } from './refusal.ts'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

const foreign = refuse(
  403,
  'FOREIGN_ORIGIN',
  'This request came from a page at a different address. Behind a proxy, set BASE_URL to the public address.',
)

/**
 * Refuses a write that a page of somebody else's made the browser send. Pages of our own name the public address or, where
 * none is configured, the very host they call, which has to be a local one; a call without an Origin is let through when no
 * browser made it.
 */
export function refuseForeignOrigin(
  method: string,
  header: (name: 'sec-fetch-site' | 'origin' | 'host') => string | undefined,
  baseUrl: string | undefined,
): Refusal | undefined {
  if (harmless.has(method)) return undefined
  const site = header('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') return foreign
  const origin = header('origin')
  const host = header('host')
  if (baseUrl === undefined && !isLocalHost(host ?? '')) return unknownHost(host, origin)
  if (origin === undefined) return undefined
  // A Host can be made to point here by whoever owns the name, so a known public address is the only one, besides the
  // machine's own, which is how it is asked on the machine itself.
  if (baseUrl !== undefined && origin !== baseUrl && !isLoopback(origin)) return foreign
  return origin === baseUrl || isOwnHost(origin, host) ? undefined : foreign
}

/**
 * A 503, since tabs and shells of any age keep what they have to send until a 503 has passed, and drop what a 403 refuses: an
 * update without the setting must cost nobody a change.
 */
function unknownHost(host: string | undefined, origin: string | undefined): Refusal {
  // No browser sends such a one.
  if (!host) return refuse(400, 'MALFORMED_REQUEST', "This request doesn't name a host.")
  // Whether the name stands for http or https only a page can tell: a proxy may have ended TLS.
  const setting =
    origin !== undefined && isOwnHost(origin, host)
      ? `BASE_URL=${origin}`
      : 'BASE_URL set to the address shown in the browser'
  return refuse(
    503,
    'UNKNOWN_HOST',
    `Daymark doesn't recognize ${host} as its own address. If it is, start Daymark with ${setting}`,
  )
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
}

// Hosts are compared, not schemes: behind a proxy that ends TLS, the page is https and the call to us is http.
function isOwnHost(origin: string, host: string | undefined): boolean {
  if (!host || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  return new URL(origin).host === host.toLowerCase()
}
