import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How quickly a request has to arrive. */
export interface Pace {
  /** Milliseconds for its headers. */
  headers: number
  /** Milliseconds that its body may take without anything of it arriving, */
  pause: number
  /** and bytes a second that make up for them: at fewer, a body falls behind until the pause is used up. */
  bytesPerSecond: number
  /** Milliseconds between two looks. */
  lookEvery: number
  /** Milliseconds, from wherever. */
  clock(): number
}

/**
 * A picture of 7 MB over a slow phone line (0.5 Mbit/s, 112 seconds) arrives, and so does one after a tunnel of half a minute.
 * What only trickles is cut after 30 seconds; the longest that any request can be drawn out is four minutes, by sending 7 MB.
 */
export const usualPace: Pace = {
  headers: 20_000,
  pause: 30_000,
  bytesPerSecond: 32 * 1024,
  lookEvery: 1_000,
  clock: () => performance.now(),
}

interface Arriving {
  /** Of all that the socket has read. */
  bytes: number
  /** When it is given up, if nothing more arrives. */
  until: number
}

/** The requests that are being received, one for each connection. */
export class Arrivals {
  readonly #pace: Pace
  readonly #cut: (response: ServerResponse) => void
  readonly #latest = new Map<Socket, ServerResponse | undefined>()
  readonly #arriving = new WeakMap<IncomingMessage, Arriving>()
  readonly #looking: NodeJS.Timeout

  /** `cut` is told of each that falls behind. */
  constructor(pace: Pace, cut: (response: ServerResponse) => void) {
    this.#pace = pace
    this.#cut = cut
    this.#looking = setInterval(() => this.#look(), pace.lookEvery).unref()
  }

  /** The headers are there. For each request of the hot path, so it does as little as it can: most bodies are there too. */
  add(socket: Socket, response: ServerResponse): void {
    if (!this.#latest.has(socket)) socket.once('close', () => this.#latest.delete(socket))
    this.#latest.set(socket, response)
  }

  close(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    const now = this.#pace.clock()
    for (const [socket, response] of this.#latest) {
      if (!response) continue
      if (response.req.complete) this.#latest.set(socket, undefined)
      else if (this.#fallsBehind(response.req, socket.bytesRead, now)) this.#cut(response)
    }
  }

  #fallsBehind(request: IncomingMessage, bytes: number, now: number): boolean {
    const { pause, bytesPerSecond } = this.#pace
    const before = this.#arriving.get(request)
    // What has arrived and nobody has taken yet is not the client's delay.
    if (!before || request.readableLength > 0) {
      this.#arriving.set(request, { bytes, until: now + pause })
      return false
    }
    const won = ((bytes - before.bytes) / bytesPerSecond) * 1000
    before.bytes = bytes
    before.until = Math.min(before.until + won, now + pause)
    return now >= before.until
  }
}
