import type { HttpContext } from './context.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Bytes of a body that a call may send which says nothing else of itself. */
export const usualBodyLimit = 64 * 1024

const incomplete = refuse(400, 'INCOMPLETE_BODY', 'The body did not arrive whole.')
const malformed = refuse(400, 'MALFORMED_JSON', 'The body is not valid JSON.')
const notJson = refuse(415, 'NOT_JSON', 'The body must be sent as application/json.')

export type BodyReading = { value: unknown } | { refusal: Refusal }

/** Reads the body as JSON, at most `limit` bytes of it; an empty one is `undefined`, whatever type it claims. */
export async function readJson(c: HttpContext, limit: number): Promise<BodyReading> {
  const reading = await readBytes(c, limit)
  if ('refusal' in reading) return reading
  if (reading.bytes.byteLength === 0) return { value: undefined }
  if (!isJson(c)) return { refusal: notJson }
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reading.bytes)) }
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
    if (c.req.header('content-length')) return { bytes: new Uint8Array(await c.req.arrayBuffer()) }
    return await readStream(c.req.raw.body, limit)
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

function isJson(c: HttpContext): boolean {
  const [type = '', ...parameters] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) return false
  return type.trim() === 'application/json' && !c.req.header('content-encoding')
}
