import type { DeviceClock } from '#platform/browser/clock/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** Decides whether the device's clock was set or the device slept. Returns the offset of the server's clock in milliseconds. */
export type SettleDoubts = (
  device: DeviceClock,
  estimate: { before: number; late: number; least: number; most: number },
) => number

/** Milliseconds. Before the first response, a device's clock counts as right; only such a quick response can confirm that. */
const quick = 5_000

/**
 * Estimates from responses how far the server's clock is ahead of this device's. Changes are timestamped by the server's clock,
 * because the later of two changes wins. A device's clock may be a day off or be set while the page is open.
 */
export class ServerClock {
  readonly device: DeviceClock
  /** The estimate in milliseconds, as it was in the era `#era` of the device's clock (`era.ts`). */
  #ahead: number | undefined
  #era = 0
  /** Milliseconds by which the estimate may be too high: the time that a request may have taken to arrive. */
  #late = 0
  /** Whether only slow responses, or none, have told the time: the clock may still be right. */
  #isRough = true
  /**
   * `#lastWritten`: when the server wrote the response to the last request. `#lastSent`: when that request was sent, by the
   * device's clock in the era `#sentIn`. 0 before the first response.
   */
  #lastWritten: Instant = 0
  #lastSent: Instant = 0
  #sentIn = 0
  /** The newest instant of a change that the server accepted unaltered, or 0. */
  #lastTaken: Instant = 0

  #settleDoubts: SettleDoubts | undefined

  constructor(device: DeviceClock) {
    this.device = device
  }

  /**
   * Sets the function that settles doubtful clock shifts at the next response. Its code is fetched with the sender, after the
   * page; until then doubts stay.
   */
  settleDoubtsBy(settle: SettleDoubts): void {
    this.#settleDoubts = settle
  }

  /**
   * How far the server's clock is ahead, in milliseconds: as a rule exactly 0 for a correct clock, otherwise correct or too much by
   * about a second and the time that a request took to arrive. Undefined until the server has responded, and again when the device
   * may have slept or its clock may have been set forward.
   */
  get ahead(): number | undefined {
    this.device.now()
    return this.#ahead === undefined || this.device.isUnsure ? undefined : this.guess
  }

  /**
   * The best guess at `ahead`, in milliseconds. It assumes that the device slept whenever its clock may have been set forward.
   */
  get guess(): number {
    this.device.now()
    return (this.#ahead ?? 0) - this.device.setSince(this.#era)
  }

  /** The instant from which `guess` is doubtful, by the server's clock as guessed. */
  get doubtfulSince(): Instant {
    const first = this.device.shifts.find(({ isUnsure }) => isUnsure)
    return this.#ahead === undefined || !first ? 0 : first.at + this.guess
  }

  /**
   * The instant, by the server's clock, that a change made now must not precede: the latest this tab knows. `seen`: when the row
   * was last changed, as shown. Undefined if nothing is known.
   */
  notBefore(seen: Instant | undefined): Instant | undefined {
    return Math.max(seen ?? 0, this.#lastTaken, this.#lastWritten) || undefined
  }

  /**
   * Learns from a response. The server wrote it at `date`, in whole seconds; by this device's clock the request was sent at
   * `sent` and the response arrived at `received`. That puts the true offset between two bounds. The estimate stays as long as it
   * is within these bounds, so that two changes are hardly ever timestamped by different estimates. Otherwise it becomes the
   * upper bound. A change with too late a timestamp counts as made when it arrives, but a change with too early a timestamp would
   * lose to what the person had already seen. `era`: the device clock's era when the request was sent.
   */
  learn(date: Instant | undefined, sent: Instant, received: Instant, era: number): void {
    if (date !== undefined && !(era === this.#sentIn && sent < this.#lastSent)) {
      this.#lastWritten = date
      // The server's clock was set back, so the last accepted change now lies in its future.
      if (this.#lastTaken > date + 999) this.#lastTaken = 0
      this.#sentIn = era
      this.#lastSent = sent
    }
    // The device's clock was set meanwhile, or the device slept, so the two times cannot be compared.
    if (received < sent || era !== this.device.era) return
    const isQuick = date !== undefined && received - sent <= quick
    const { guess } = this
    const late = this.#late
    const [lowest, most] = date === undefined ? [guess - late, guess] : [date - received, date + 999 - sent]
    const ifRight = 0 - this.device.setSince(0)
    const before = this.#isRough && isQuick && ifRight >= lowest && ifRight <= most ? ifRight : guess
    // A wrong clock, too, fits a slow response.
    const least = this.#ahead === undefined && !isQuick ? most : lowest
    if (this.device.isUnsure) {
      if (!this.#settleDoubts) return
      this.#ahead = this.#settleDoubts(this.device, { before, late, least, most })
    } else this.#ahead = before >= least && before <= most ? before : most
    this.#late = this.#ahead === before ? Math.min(late, before - lowest) : this.#ahead - lowest
    if (isQuick) this.#isRough = false
    this.#era = this.device.era
    this.device.settleDrift()
  }

  /**
   * Call it when the server accepted a change made `at`, in a response written at `date`. An `at` after `date` is ignored,
   * because the server cut it to its own time.
   */
  took(at: Instant | undefined, date: Instant | undefined): void {
    if (at === undefined || date === undefined || at > date + 999) return
    this.#lastTaken = Math.max(at, this.#lastTaken)
  }
}
