import type { HttpContext, HttpResponse } from '../request/context.ts'

// sonner and the dialog primitives put style elements into the page, hence 'unsafe-inline' for styles alone.
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const ofPages = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

// An API response is not a page: if a browser is made to open it as a page, nothing in it may run. The other headers apply
// only to pages.
const ofResponses = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Returns the security headers. `https` means that the public address is https, so browsers may be told never to connect
 * without it.
 */
function headersForSecurity(of: 'pages' | 'responses', https: boolean): Record<string, string> {
  const headers = of === 'pages' ? ofPages : ofResponses
  return https ? { ...headers, 'Strict-Transport-Security': 'max-age=31536000' } : headers
}

/** Combines a response's headers: the common ones, those set during the request, and its own. */
export function securityHeaders(https: boolean): (c: HttpContext, response: HttpResponse) => HttpResponse {
  const forPages = headersForSecurity('pages', https)
  const forResponses = { ...headersForSecurity('responses', https), 'Cache-Control': 'no-store' }
  return (c, { status, headers: own, body }) => {
    if (!isOfApi(c.path)) return { status, headers: { ...forPages, ...c.headers, ...own }, body }
    // A client that gets a 304 already has the security headers.
    if (status === 304) return { status, headers: { ...c.headers, ...own } }
    return { status, headers: { ...forResponses, ...c.headers, ...own }, body }
  }
}

export function isOfApi(path: string): boolean {
  return path.startsWith('/api/') || path === '/api'
}
