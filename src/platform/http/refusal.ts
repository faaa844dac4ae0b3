import type { Failure } from '#platform/wire/failure.ts'
import type { HttpContext } from './context.ts'

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 422 | 429 | 500 | 503

/** A failure that is an expected outcome: a value, not an exception. */
export interface Refusal {
  status: RefusalStatus
  body: Failure
  headers?: Record<string, string>
}

export function refuse(
  status: RefusalStatus,
  code: string,
  message: string,
  more: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
): Refusal {
  const body = more.fields ? { code, message, fields: more.fields } : { code, message }
  return more.headers ? { status, body, headers: more.headers } : { status, body }
}

export const notFound = refuse(404, 'NOT_FOUND', "This doesn't exist, or it was deleted.")
export const notSignedIn = refuse(401, 'NOT_SIGNED_IN', 'Sign in to do this.')

export function tooManyRequests(seconds: number): Refusal {
  const message = `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return refuse(429, 'TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': String(seconds) } })
}

export function isRefusal(reply: object): reply is Refusal {
  return 'status' in reply && typeof reply.status === 'number' && reply.status >= 400
}

export function send(c: HttpContext, { status, body, headers = {} }: Refusal): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return c.json(body, status)
}
