import type { Instant } from '#platform/calendar/day.ts'

/** Time as a schedule plays it: it stands still until it is passed on, and what waits for it wakes then. */
export class PlayedTime {
  now: Instant
  #waiting: { until: Instant; wake(): void }[] = []

  constructor(now: Instant) {
    this.now = now
  }

  pass(milliseconds: number): void {
    this.now += milliseconds
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

/** Lets everything else that is ready to run do so, so many times. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}
