import { countTaken } from '#platform/database/pacing/work.ts'
import type { HttpRequest } from './context.ts'
import { type ErrorResponse, errorResponse } from './error-response.ts'

/** The largest body in bytes, for calls that declare no limit of their own. */
export const usualBodyLimit = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

const incomplete = errorResponse(400, 'INCOMPLETE_BODY', 'The request body is incomplete.')
const malformed = errorResponse(400, 'MALFORMED_JSON', 'The body is not valid JSON.')
const notJson = errorResponse(415, 'NOT_JSON', 'The body must be sent as application/json.')

/** Refuses a declared size above `limit`. Checked before anything else, to avoid receiving a body that is too large. */
export function refuseDeclaredSize(request: HttpRequest, limit: number): ErrorResponse | undefined {
  return Number(request.header('content-length') ?? 0) > limit ? tooLarge(limit) : undefined
}

/** Reads the whole body, which must not exceed `limit` bytes. */
export async function readBytes(
  request: HttpRequest,
  limit: number,
): Promise<{ bytes: Uint8Array } | { error: ErrorResponse }> {
  try {
    const bytes = await request.readBody(limit)
    return bytes === 'too large' ? { error: tooLarge(limit) } : { bytes }
  } catch {
    return { error: incomplete }
  }
}

/** Parses the body of `request`. An empty body becomes `undefined`, whatever its content type claims. */
export function parseJson(
  bytes: Uint8Array,
  request: HttpRequest,
): { value: unknown } | { error: ErrorResponse } {
  countTaken(bytes.byteLength)
  if (bytes.byteLength === 0) return { value: undefined }
  if (!isJson(request.header('content-type'), request.header('content-encoding'))) return { error: notJson }
  try {
    return { value: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return { error: malformed }
  }
}

function tooLarge(limit: number): ErrorResponse {
  const size = limit < 2 ** 20 ? `${limit / 1024} KB` : `${limit / 2 ** 20} MB`
  const headers = { Connection: 'close' }
  return errorResponse(413, 'TOO_LARGE', `The body is larger than ${size}.`, { headers })
}

function isJson(contentType = '', contentEncoding = ''): boolean {
  if (contentEncoding !== '') return false
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) return false
  return type.trim() === 'application/json'
}
