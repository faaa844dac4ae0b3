import type { Instant } from '#platform/calendar/day.ts'

/**
 * How far the server's clock is ahead of this device's, read off its answers. The clock of a device may be a day off, and
 * whose change stands is decided by when it was made.
 */
export class ServerClock {
  #ahead: number | undefined

  /**
   * In milliseconds: for a clock that is right exactly 0, otherwise right or up to about a second too much. Undefined until
   * the server has answered.
   */
  get ahead(): number | undefined {
    return this.#ahead
  }

  /**
   * An answer of the server was written at `date`, in whole seconds, to a request of this device's instants `sent` and
   * `received`. It says between what two values the truth lies: what is known stays as long as it may be so, so that two
   * changes hardly ever meet another idea of it. Otherwise it is the most that it can be. A change that is dated too late
   * is taken for now when it arrives; one that is dated too early would lose against what its person had already seen.
   */
  learn(date: Instant | undefined, sent: Instant, received: Instant): void {
    const before = this.#ahead ?? 0
    // The clock was set back meanwhile.
    if (received < sent) return
    const mayStay = date === undefined || (before >= date - received && before <= date + 999 - sent)
    this.#ahead = mayStay ? before : date + 999 - sent
  }
}
