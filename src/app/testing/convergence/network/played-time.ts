import type { Instant } from '#platform/calendar/day.ts'

/** The simulated time of a schedule. It stands still until `pass` advances it and wakes everything that waited for it. */
export class PlayedTime {
  /** The true time. */
  now: Instant
  #serverAhead = 0
  #waiting: { until: Instant; wake(): void }[] = []
  #tellServer: (now: Instant) => void

  /** `tellServer` is called whenever the server's time changes. */
  constructor(now: Instant, tellServer: (now: Instant) => void = () => {}) {
    this.now = now
    this.#tellServer = tellServer
    tellServer(now)
  }

  get atServer(): Instant {
    return this.now + this.#serverAhead
  }

  /** Milliseconds that the server's clock is ahead of the true time. */
  set serverAhead(ahead: number) {
    this.#serverAhead = ahead
    this.#tellServer(this.atServer)
  }

  get serverAhead(): number {
    return this.#serverAhead
  }

  pass(milliseconds: number): void {
    this.now += milliseconds
    this.#tellServer(this.atServer)
    const due = this.#waiting.filter(({ until }) => until <= this.now)
    this.#waiting = this.#waiting.filter(({ until }) => until > this.now)
    for (const { wake } of due) wake()
  }

  pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const waits = { until: this.now + milliseconds, wake: resolve }
      this.#waiting.push(waits)
      const stop = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waits)
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
    })
}

/** Yields to the event loop `count` times, so that everything else that is ready runs. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}
