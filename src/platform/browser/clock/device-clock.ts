import type { Instant } from '#platform/calendar/day.ts'

/** Milliseconds. Between two responses of a server, wall clock and steady clock drift apart by less than this. */
const driftsLess = 2_000

export interface Shift {
  /** Milliseconds that the wall clock moved ahead of the steady clock; negative if it moved back. */
  by: number
  /** Wall clock time at which the shift was noticed. */
  at: Instant
  /**
   * The earliest time that the wall clock can have shown just after the shift, which may have happened any time since the last
   * check.
   */
  earliest: Instant
  /** The latest time that the wall clock can have shown just before the shift. */
  until: Instant
  /** Whether it is still unknown if the clock was set or the device slept; the steady clock stands still during sleep. */
  isUnsure: boolean
}

/**
 * This device's clock, which people and networks may set while a page is open. Detects such shifts by comparing it with the
 * page's steady clock, which nobody can set.
 */
export class DeviceClock {
  #wall: () => Instant
  #steady: () => number
  /** The wall clock minus the steady clock, in milliseconds, as of the last shift. */
  #apart: number
  /** Time of the steady clock at the last check. */
  #looked: number
  #shifts: readonly Shift[] = []
  #listeners = new Set<() => void>()

  constructor(wall: () => Instant, steady: () => number) {
    this.#wall = wall
    this.#steady = steady
    this.#looked = steady()
    this.#apart = wall() - this.#looked
  }

  /** Returns the wall clock time, and notices whether the clock was set since the last call. */
  now(): Instant {
    const wall = this.#wall()
    const steady = this.#steady()
    const by = wall - steady - this.#apart
    if (Math.abs(by) > driftsLess) {
      this.#apart += by
      const earliest = wall - steady + this.#looked
      // The steady clock never runs ahead, so a wall clock that falls behind it was set back.
      this.#shifts = [...this.#shifts, { by, at: wall, earliest, until: wall - by, isUnsure: by > 0 }]
      this.#tell()
    }
    this.#looked = steady
    return wall
  }

  /** All shifts noticed so far, in order. */
  get shifts(): readonly Shift[] {
    return this.#shifts
  }

  /** The number of shifts so far. A time taken in an earlier era may have to be corrected. */
  get era(): number {
    return this.#shifts.length
  }

  /** Whether any shift is still unexplained: the clock was set forward, or the device slept. */
  get isUnsure(): boolean {
    return this.#shifts.some(({ isUnsure }) => isUnsure)
  }

  /** Milliseconds by which the clock was set since the given era, not counting unexplained shifts. */
  setSince(era: number): number {
    return this.#shifts.slice(era).reduce((sum, { by, isUnsure }) => sum + (isUnsure ? 0 : by), 0)
  }

  /** Replaces the shifts with what is now known about them; their number stays the same. */
  settle(shifts: readonly Shift[]): void {
    this.#shifts = shifts
    this.#tell()
  }

  /** Resets the comparison: the clocks' drift so far is known and harmless. */
  settleDrift(): void {
    this.#apart = this.#wall() - this.#steady()
  }

  /**
   * Calls the listener when the clock was set, may have been set, or is now known to have been set. Returns an unsubscribe
   * function.
   */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Notifies later, because screens read the clock while they render. */
  #tell(): void {
    queueMicrotask(() => {
      for (const listener of [...this.#listeners]) listener()
    })
  }
}

/** The clock of the device that this page is open on. */
export const deviceClock = new DeviceClock(
  () => Date.now(),
  () => performance.now(),
)
