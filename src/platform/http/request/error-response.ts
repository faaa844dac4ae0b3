import { wordFor } from '#platform/format/words.ts'
import type { Failure } from '#platform/wire/failure.ts'
import type { HttpHeaders, HttpResponse } from './context.ts'

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/** An expected failure, returned as a value instead of thrown. */
export interface ErrorResponse {
  status: ErrorStatus
  body: Failure
  headers?: Record<string, string>
}

export function errorResponse(
  status: ErrorStatus,
  code: string,
  message: string,
  more: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
): ErrorResponse {
  const body = more.fields ? { code, message, fields: more.fields } : { code, message }
  return more.headers ? { status, body, headers: more.headers } : { status, body }
}

export const notFound = errorResponse(404, 'NOT_FOUND', "This doesn't exist, or it was deleted.")
export const notSignedIn = errorResponse(401, 'NOT_SIGNED_IN', 'Sign in to do this.')

export function tooManyRequests(seconds: number): ErrorResponse {
  const message = `Too many requests. Try again in ${seconds} ${wordFor(seconds, 'second')}.`
  return errorResponse(429, 'TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': String(seconds) } })
}

/** Serializes an error response, or anything else that is sent as JSON. */
export function inJson({
  status,
  body,
  headers,
  text = JSON.stringify(body),
}: {
  status: number
  body: unknown
  headers?: HttpHeaders
  text?: string | undefined
}): HttpResponse {
  const length = String(Buffer.byteLength(text))
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': length },
    body: text,
  }
}
