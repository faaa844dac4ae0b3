import type { IncomingMessage } from 'node:http'
import type { HttpRequest, HttpResponse } from './context.ts'
import type { TimedResponse } from './timed-response.ts'

/** Bytes that always fit into a connection's buffers, so that a response of this size never waits for the client. */
const takenAtOnce = 16 * 2 ** 10
/** Milliseconds after which a client that stops reading a longer response is disconnected. */
const patience = 30_000

/** A request that came over a socket. */
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly outgoing: TimedResponse
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage, outgoing: TimedResponse, target: string) {
    this.method = incoming.method ?? ''
    this.target = target
    this.outgoing = outgoing
    this.#incoming = incoming
  }

  get address(): string {
    return this.#incoming.socket.remoteAddress ?? ''
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  readBody(limit: number): Promise<Uint8Array | 'too large'> {
    const { headers } = this.#incoming
    const isSent = 'content-length' in headers || 'transfer-encoding' in headers
    // A GET may carry a body, but HTTP gives it no meaning.
    return isSent && this.method !== 'GET' && this.method !== 'HEAD' ? readWhole(this.#incoming, limit) : none
  }

  cut(): void {
    this.#incoming.socket.destroy()
  }
}

const none = Promise.resolve(new Uint8Array())

/** Reads the whole body, or resolves with 'too large'. Rejects when the body does not arrive in full. */
function readWhole(incoming: IncomingMessage, limit: number): Promise<Uint8Array | 'too large'> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | 'too large'>()
  const chunks: Buffer[] = []
  let size = 0
  let whole = false
  const over = () => {
    if (!whole) reject(new Error('The body did not arrive whole'))
  }
  // The request may have closed before these listeners were added.
  if (incoming.destroyed) over()
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    // The rest is read and discarded, so that the client gets to read the response.
    if (size <= limit) return void chunks.push(chunk)
    // Release the chunks: a response that waits behind another one keeps its request in memory.
    chunks.length = 0
    resolve('too large')
  })
  incoming.once('end', () => {
    whole = true
    const [only] = chunks
    resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks))
    chunks.length = 0
  })
  // Listens for 'close' instead of 'error': Node emits no error here unless somebody listens for it.
  incoming.once('close', over)
  return promise
}

/** Sends the response to a request with `method`. */
export function send(
  outgoing: TimedResponse,
  method: string | undefined,
  { status, headers, body }: HttpResponse,
): void {
  outgoing.writeHead(status, headers)
  if (body instanceof ReadableStream) {
    if (method === 'HEAD') {
      void body.cancel()
      outgoing.end()
    } else void sendStream(outgoing, body.getReader())
    return
  }
  // A client that stops reading would otherwise keep the response in memory for ever.
  if (body !== undefined && body.length > takenAtOnce) outgoing.setTimeout(patience)
  outgoing.end(method === 'HEAD' ? undefined : body)
}

/**
 * Sends a stream no faster than the client reads. A stream that fails cuts the connection; if the client disconnects, the
 * stream is cancelled.
 */
async function sendStream(
  outgoing: TimedResponse,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<void> {
  let goOn = () => {}
  const cancel = () => {
    reader.cancel().catch(() => {})
    goOn()
  }
  outgoing.on('drain', () => goOn())
  outgoing.once('close', cancel)
  if (outgoing.destroyed) cancel()
  outgoing.flushHeaders()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (outgoing.write(next.value) || outgoing.destroyed) continue
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    }
    outgoing.end()
  } catch {
    outgoing.destroy()
  }
}
