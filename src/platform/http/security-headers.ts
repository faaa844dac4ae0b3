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

const ofPages = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

// No page, and whoever makes a browser open it as one gets nothing of it to run. What says more only holds for pages.
const ofAnswers = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** `https`: the public address is https, so a browser may be told never to come without it. */
export function headersForSecurity(of: 'pages' | 'answers', https: boolean): Record<string, string> {
  const headers = of === 'pages' ? ofPages : ofAnswers
  return https ? { ...headers, 'Strict-Transport-Security': 'max-age=31536000' } : headers
}

export function securityHeaders(https: boolean): MiddlewareHandler<HttpEnv> {
  const forPages = Object.entries(headersForSecurity('pages', https))
  const forAnswers = Object.entries(headersForSecurity('answers', https))
  return async (c, next) => {
    const isAnswer = /^\/api(\/|$)/.test(c.req.path)
    for (const [name, value] of isAnswer ? forAnswers : forPages) c.header(name, value)
    if (isAnswer) c.header('Cache-Control', 'no-store')
    await next()
  }
}
