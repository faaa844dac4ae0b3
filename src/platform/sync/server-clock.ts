import type { Instant } from '#platform/calendar/day.ts'

/**
 * How far the server's clock is ahead of this device's, read off its answers. The clock of a device may be a day off, and
 * whose change stands is decided by when it was made.
 */
export class ServerClock {
  #ahead: number | undefined

  /** In milliseconds, right to about a second; exactly 0 for a clock that is. Undefined until the server has answered. */
  get ahead(): number | undefined {
    return this.#ahead
  }

  /**
   * An answer of the server was written at `date`, in whole seconds, to a request of this device's instants `sent` and
   * `received`. It says between what two values the truth lies: no more is changed than has to be, so that two changes
   * hardly ever meet another idea of it.
   */
  learn(date: Instant | undefined, sent: Instant, received: Instant): void {
    const before = this.#ahead ?? 0
    // The clock was set back meanwhile.
    if (received < sent) return
    this.#ahead = date === undefined ? before : Math.min(Math.max(before, date - received), date + 999 - sent)
  }
}
