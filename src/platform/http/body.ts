import { countTaken } from '#platform/database/work.ts'
import type { HttpContext } from './context.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Bytes of a body that a call may send which says nothing else of itself. */
export const usualBodyLimit = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

const incomplete = refuse(400, 'INCOMPLETE_BODY', 'The request body is incomplete.')
const malformed = refuse(400, 'MALFORMED_JSON', 'The body is not valid JSON.')
const notJson = refuse(415, 'NOT_JSON', 'The body must be sent as application/json.')

export type BodyReading = { value: unknown } | { refusal: Refusal }

/** Reads the body as JSON, at most `limit` bytes of it; an empty one is `undefined`, whatever type it claims. */
export async function readJson(c: HttpContext, limit: number): Promise<BodyReading> {
  const reading = await readBytes(c, limit)
  if ('refusal' in reading) return reading
  return parseJson(reading.bytes, (name) => c.req.header(name))
}

type HeaderOfBody = 'content-type' | 'content-encoding'

/** What `bytes` say, that came with these headers. */
export function parseJson(
  bytes: Uint8Array,
  header: (name: HeaderOfBody) => string | undefined,
): BodyReading {
  if (bytes.byteLength === 0) return { value: undefined }
  if (!isJson(header('content-type'), header('content-encoding'))) return { refusal: notJson }
  try {
    return { value: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return { refusal: malformed }
  }
}

/** For calls that take no body: what came is thrown away, but not without a limit. */
export async function discardBody(c: HttpContext): Promise<BodyReading> {
  const reading = await readBytes(c, usualBodyLimit)
  return 'refusal' in reading ? reading : { value: undefined }
}

/** Said before anything else is done for a request whose header already admits to be too large. */
export function refuseDeclaredSize(c: HttpContext, limit: number): Refusal | undefined {
  return Number(c.req.header('content-length') ?? 0) > limit ? tooLarge(limit) : undefined
}

function tooLarge(limit: number): Refusal {
  const size = limit < 2 ** 20 ? `${limit / 1024} KB` : `${limit / 2 ** 20} MB`
  const headers = { Connection: 'close' }
  return refuse(413, 'TOO_LARGE', `The body is larger than ${size}.`, { headers })
}

async function readBytes(
  c: HttpContext,
  limit: number,
): Promise<{ bytes: Uint8Array } | { refusal: Refusal }> {
  try {
    // With a length declared, and checked above, the HTTP parser hands over no more than that.
    const reading = c.req.header('content-length')
      ? { bytes: new Uint8Array(await c.req.arrayBuffer()) }
      : await readStream(c.req.raw.body, limit)
    if ('bytes' in reading) countTaken(reading.bytes.byteLength)
    return reading
  } catch {
    return { refusal: incomplete }
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<{ bytes: Uint8Array } | { refusal: Refusal }> {
  if (!stream) return { bytes: new Uint8Array() }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > limit) return { refusal: tooLarge(limit) }
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks) }
}

function isJson(contentType = '', contentEncoding = ''): boolean {
  if (contentEncoding !== '') return false
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) return false
  return type.trim() === 'application/json'
}
