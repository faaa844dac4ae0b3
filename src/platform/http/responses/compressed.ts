import { once } from 'node:events'
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'
import type { HttpRequest } from '../request/context.ts'

/** The fastest level: the next ones make a response hardly smaller. */
const level = constants.Z_BEST_SPEED

/** Tells caches in between that the next client may need other bytes. */
export const variesByEncoding = { Vary: 'Accept-Encoding' }

/** Whether the client takes this encoding. One that gives it a weight, such as `gzip;q=0.5`, is no browser. */
export function takes(encoding: 'br' | 'gzip', request: HttpRequest): boolean {
  const offered = request.header('accept-encoding') ?? ''
  return offered.split(',').some((each) => each.trim().toLowerCase() === encoding)
}

/** Compressed in another thread, so that other requests are answered meanwhile. */
export function compressed(bytes: Buffer): Promise<Buffer<ArrayBuffer>> {
  return promisify(gzip)(bytes, { level })
}

/** The same, for what is sent as it is written: takes a piece only when what became of the one before has been read. */
export async function* compressedPieces(
  written: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level })
  const made: Uint8Array[] = []
  gzip.on('data', (piece) => made.push(piece))
  const ended = once(gzip, 'end')
  // Awaited below; until then, a failure must not count as one that nobody handles.
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
 * The headers of a response that is sent compressed. Its tag becomes a weak one: the bytes differ from those of the
 * uncompressed response, what they say doesn't.
 */
export function asCompressed(headers: Record<string, string>): Record<string, string> {
  const { ETag: tag } = headers
  return { ...headers, 'Content-Encoding': 'gzip', ...(tag !== undefined && { ETag: `W/${tag}` }) }
}
