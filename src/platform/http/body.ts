import type { HttpContext } from './context.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Bytes of a body that any call may send. Only the picture of a profile will be allowed more. */
const bodyLimit = 64 * 1024

const tooLarge = refuse(413, 'TOO_LARGE', `The body is larger than ${bodyLimit / 1024} KB.`, {
  headers: { Connection: 'close' },
})
const incomplete = refuse(400, 'INCOMPLETE_BODY', 'The body did not arrive whole.')
const malformed = refuse(400, 'MALFORMED_JSON', 'The body is not valid JSON.')
const notJson = refuse(415, 'NOT_JSON', 'The body must be sent as application/json.')

export type BodyReading = { value: unknown } | { refusal: Refusal }

/** Reads the body as JSON; an empty one is `undefined`, whatever type it claims. */
export async function readJson(c: HttpContext): Promise<BodyReading> {
  const reading = await readBytes(c)
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
  const reading = await readBytes(c)
  return 'refusal' in reading ? reading : { value: undefined }
}

/** Said before anything else is done for a request whose header already admits to be too large. */
export function refuseDeclaredSize(c: HttpContext): Refusal | undefined {
  return Number(c.req.header('content-length') ?? 0) > bodyLimit ? tooLarge : undefined
}

async function readBytes(c: HttpContext): Promise<{ bytes: Uint8Array } | { refusal: Refusal }> {
  try {
    // With a length declared, and checked above, the HTTP parser hands over no more than that.
    if (c.req.header('content-length')) return { bytes: new Uint8Array(await c.req.arrayBuffer()) }
    return await readStream(c.req.raw.body)
  } catch {
    return { refusal: incomplete }
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
): Promise<{ bytes: Uint8Array } | { refusal: Refusal }> {
  if (!stream) return { bytes: new Uint8Array() }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > bodyLimit) return { refusal: tooLarge }
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
