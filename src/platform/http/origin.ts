import { type Refusal, refuse } from './refusal.ts'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

const foreign = refuse(
  403,
  'FOREIGN_ORIGIN',
  'This call came from a page of another address. Behind a proxy, set BASE_URL to the public address.',
)

/**
 * Refuses a write that a page of somebody else's made the browser send. Pages of our own name the public
 * address or, where none is configured, the very host they call; a call without an Origin is let through when no browser made it.
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
  if (origin === undefined) return undefined
  const host = header('host')
  // A Host can be made to point here by whoever owns the name, so a known public address is the only one, besides the
  // machine's own, which is how it is asked on the machine itself.
  if (baseUrl !== undefined && origin !== baseUrl && !isLoopback(origin)) return foreign
  return origin === baseUrl || isOwnHost(origin, host) ? undefined : foreign
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
}

// Hosts are compared, not schemes: behind a proxy that ends TLS, the page is https and the call to us is http.
function isOwnHost(origin: string, host: string | undefined): boolean {
  if (!host || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  return new URL(origin).host === host.toLowerCase()
}
