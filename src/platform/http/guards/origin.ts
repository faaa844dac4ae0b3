import type { HttpRequest } from '../request/context.ts'
import { type ErrorResponse, errorResponse } from '../request/error-response.ts'
import { isLocalHost } from './local-host.ts'

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

const foreign = errorResponse(
  403,
  'FOREIGN_ORIGIN',
  'This request came from a page at a different address. Behind a proxy, set BASE_URL to the public address.',
)

/**
 * Refuses a write that another site made the browser send. Our own pages send the public address as their origin or, if
 * none is configured, the very host they call, which has to be local. A request without an Origin is admitted when it did
 * not come from a browser.
 */
export function refuseForeignOrigin(
  method: string,
  request: Pick<HttpRequest, 'header'>,
  baseUrl: string | undefined,
): ErrorResponse | undefined {
  if (harmless.has(method)) return undefined
  const site = request.header('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') return foreign
  const origin = request.header('origin')
  const host = request.header('host')
  if (baseUrl === undefined && !isLocalHost(host ?? '')) return unknownHost(host, origin)
  if (origin === undefined) return undefined
  // Anyone can point a name that they own to this machine. So when the public address is known, no other origin is accepted,
  // except loopback, which is used on the machine itself.
  if (baseUrl !== undefined && origin !== baseUrl && !isLoopback(origin)) return foreign
  return origin === baseUrl || isOwnHost(origin, host) ? undefined : foreign
}

/**
 * A 503, since tabs and service workers of any version keep their queued writes through a 503, but drop a write that gets a 403.
 * An operator who updates Daymark without setting BASE_URL must not lose anyone's changes.
 */
function unknownHost(host: string | undefined, origin: string | undefined): ErrorResponse {
  // Every browser sends a host.
  if (!host) return errorResponse(400, 'MALFORMED_REQUEST', "This request doesn't name a host.")
  // Only a page knows whether the name is served over http or https: a proxy may have terminated TLS.
  const setting =
    origin !== undefined && isOwnHost(origin, host)
      ? `BASE_URL=${origin}`
      : 'BASE_URL set to the address shown in the browser'
  return errorResponse(
    503,
    'UNKNOWN_HOST',
    `Daymark doesn't recognize ${host} as its own address. If it is, start Daymark with ${setting}`,
  )
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname)
}

// Compares hosts, not schemes: behind a proxy that terminates TLS, the page is https and the request to us is http.
function isOwnHost(origin: string, host: string | undefined): boolean {
  if (!host || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  return new URL(origin).host === host.toLowerCase()
}
