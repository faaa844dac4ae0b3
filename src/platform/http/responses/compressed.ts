import { once } from 'node:events'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'
import type { HttpRequest } from '../request/context.ts'

/** The fastest level: slower levels make a response hardly smaller. */
const level = constants.Z_BEST_SPEED

/** Tells caches between server and client that another client may need other bytes. */
export const variesByEncoding = { Vary: 'Accept-Encoding' }

/** Whether the client accepts this encoding. Weights such as `gzip;q=0.5` are not supported, since no browser sends them. */
export function takes(encoding: 'br' | 'gzip', request: HttpRequest): boolean {
  const offered = request.header('accept-encoding') ?? ''
  return offered.split(',').some((each) => each.trim().toLowerCase() === encoding)
}

/** Compresses in another thread, so that the server handles other requests meanwhile. */
export function compressed(bytes: Buffer): Promise<Buffer<ArrayBuffer>> {
  return promisify(gzip)(bytes, { level })
}

/**
 * Compresses a response while it is being written. Takes the next piece only after the consumer has read the output of the
 * previous one.
 */
export async function* compressedPieces(
  written: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level })
  const made: Uint8Array[] = []
  gzip.on('data', (piece) => made.push(piece))
  const ended = once(gzip, 'end')
  // `ended` is awaited below. Until then, its failure must not count as an unhandled rejection.
  ended.catch(() => {})
  try {
    for await (const piece of written) {
      await new Promise<void>((resolve, reject) =>
        gzip.write(piece, (error) => (error ? reject(error) : resolve())),
      )
      yield* made.splice(0)
    }
    gzip.end()
    await ended
    yield* made
  } finally {
    gzip.destroy()
  }
}

/**
 * The headers of a response that is sent compressed. Its ETag becomes a weak one, since the bytes differ from the
 * uncompressed response while the content is the same.
 */
export function asCompressed(headers: Record<string, string>): Record<string, string> {
  const { ETag: tag } = headers
  return { ...headers, 'Content-Encoding': 'gzip', ...(tag !== undefined && { ETag: `W/${tag}` }) }
}
