import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How fast a request has to arrive. */
export interface Pace {
  /** Milliseconds for the headers to arrive. */
  headers: number
  /** Milliseconds without any bytes after which a body is cut off. */
  pause: number
  /** Bytes per second that a body must keep up. A slower body uses up its `pause`. */
  bytesPerSecond: number
  /** Milliseconds between two checks for requests that arrive too slowly. */
  lookEvery: number
  /** The current time in milliseconds, from an arbitrary start. */
  clock(): number
}

/**
 * Lets a picture of 7 MB arrive over a slow phone connection (0.5 Mbit/s, 112 seconds), even with half a minute in a tunnel.
 * A body that only trickles in is cut off after 30 seconds, and a body of 7 MB can take four minutes at most.
 */
export const usualPace: Pace = {
  headers: 20_000,
  pause: 30_000,
  bytesPerSecond: 32 * 1024,
  lookEvery: 1_000,
  clock: () => performance.now(),
}

interface Arriving {
  /** Total bytes read from the socket. */
  bytes: number
  /** When to give up if nothing more arrives, on the clock of `Pace`. */
  until: number
}

/** The requests being received, one per connection. */
export class Arrivals {
  readonly #pace: Pace
  readonly #cut: (response: ServerResponse) => void
  readonly #latest = new Map<Socket, ServerResponse | undefined>()
  readonly #arriving = new WeakMap<IncomingMessage, Arriving>()
  readonly #timer: NodeJS.Timeout

  /** `cut` is called for each request that falls behind. */
  constructor(pace: Pace, cut: (response: ServerResponse) => void) {
    this.#pace = pace
    this.#cut = cut
    this.#timer = setInterval(() => this.#check(), pace.lookEvery).unref()
  }

  /**
   * Called for every request once its headers have arrived. It does as little as possible, since most bodies have already
   * arrived too.
   */
  add(socket: Socket, response: ServerResponse): void {
    if (!this.#latest.has(socket)) socket.once('close', () => this.#latest.delete(socket))
    this.#latest.set(socket, response)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
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
    // Bytes that have arrived but were not read yet are not the client's delay.
    if (!before || request.readableLength > 0) {
      this.#arriving.set(request, { bytes, until: now + pause })
      return false
    }
    const earned = ((bytes - before.bytes) / bytesPerSecond) * 1000
    before.bytes = bytes
    before.until = Math.min(before.until + earned, now + pause)
    return now >= before.until
  }
}
