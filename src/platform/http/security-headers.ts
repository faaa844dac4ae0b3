import type { MiddlewareHandler } from 'hono'
import type { HttpEnv } from './context.ts'

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

const always = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** `https`: the public address is https, so a browser may be told never to come without it. */
export function headersForSecurity(https: boolean): Record<string, string> {
  return https ? { ...always, 'Strict-Transport-Security': 'max-age=31536000' } : always
}

export function securityHeaders(https: boolean): MiddlewareHandler<HttpEnv> {
  const headers = Object.entries(headersForSecurity(https))
  return async (c, next) => {
    for (const [name, value] of headers) c.header(name, value)
    if (/^\/api(\/|$)/.test(c.req.path)) c.header('Cache-Control', 'no-store')
    await next()
  }
}
