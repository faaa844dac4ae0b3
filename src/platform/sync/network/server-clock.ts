import type { Instant } from '#platform/calendar/day.ts'

/**
 * Estimates from responses how far the server's clock is ahead of this device's. A device's clock may be a day off, and
 * the later of two changes wins.
 */
export class ServerClock {
  #ahead: number | undefined

  /**
   * In milliseconds: exactly 0 for a correct clock, otherwise correct or up to about a second too much. Undefined until the
   * server has responded.
   */
  get ahead(): number | undefined {
    return this.#ahead
  }

  /**
   * The server wrote a response at `date`, in whole seconds; by this device's clock the request was sent at `sent` and the
   * response arrived at `received`. That puts the true offset between two bounds. The estimate stays as long as it is
   * within them, so that two changes are hardly ever timestamped by different estimates. Otherwise it becomes the upper
   * bound: a change with too late a timestamp counts as made when it arrives, but one with too early a timestamp would
   * lose to what the person had already seen.
   */
  learn(date: Instant | undefined, sent: Instant, received: Instant): void {
    const before = this.#ahead ?? 0
    // The device's clock was set back meanwhile.
    if (received < sent) return
    const mayStay = date === undefined || (before >= date - received && before <= date + 999 - sent)
    this.#ahead = mayStay ? before : date + 999 - sent
  }
}
