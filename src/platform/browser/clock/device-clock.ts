import type { Instant } from '#platform/calendar/day.ts'

/** Wall clock and steady clock drift apart by less than this between two responses of a server. */
const driftsLess = 2_000

export interface Shift {
  /** By how many milliseconds the wall clock moved ahead of the steady one; below zero: back. */
  by: number
  /** What the wall clock showed when it was noticed. */
  at: Instant
  /** It can have happened at any time since the last look. The earliest that the wall clock can have shown after it. */
  earliest: Instant
  /** The latest that the wall clock can have shown before it. */
  until: Instant
  /** Whether nobody knows yet whether the clock was set, or the device slept: the steady clock stands still then. */
  isUnsure: boolean
}

/**
 * This device's clock, which people and networks set right while a page is open. It is compared with the steady clock of the page,
 * which nobody can set.
 */
export class DeviceClock {
  #wall: () => Instant
  #steady: () => number
  /** The wall clock less the steady one, as long as nothing happens. */
  #apart: number
  /** What the steady clock showed at the last look. */
  #looked: number
  #shifts: readonly Shift[] = []
  #listeners = new Set<() => void>()

  constructor(wall: () => Instant, steady: () => number) {
    this.#wall = wall
    this.#steady = steady
    this.#looked = steady()
    this.#apart = wall() - this.#looked
  }

  /** The time by the wall clock. Notices whether that was set since the last look. */
  now(): Instant {
    const wall = this.#wall()
    const steady = this.#steady()
    const by = wall - steady - this.#apart
    if (Math.abs(by) > driftsLess) {
      this.#apart += by
      const earliest = wall - steady + this.#looked
      // The steady clock never runs ahead: a wall clock that is behind it was set back.
      this.#shifts = [...this.#shifts, { by, at: wall, earliest, until: wall - by, isUnsure: by > 0 }]
      this.#tell()
    }
    this.#looked = steady
    return wall
  }

  /** Every one that was noticed, in order. */
  get shifts(): readonly Shift[] {
    return this.#shifts
  }

  /** How often the wall clock has moved. What was timed by it before may have to be moved, too. */
  get era(): number {
    return this.#shifts.length
  }

  /** Whether nobody knows yet if the clock was set forward, or the device slept. */
  get isUnsure(): boolean {
    return this.#shifts.some(({ isUnsure }) => isUnsure)
  }

  /** By how much it was set from an era on, as far as that is known. */
  setSince(era: number): number {
    return this.#shifts.slice(era).reduce((sum, { by, isUnsure }) => sum + (isUnsure ? 0 : by), 0)
  }

  /** What somebody knows now of its shifts: as many as before. */
  settle(shifts: readonly Shift[]): void {
    this.#shifts = shifts
    this.#tell()
  }

  /** What the two clocks drifted apart until now is known, and means nothing. */
  settleDrift(): void {
    this.#apart = this.#wall() - this.#steady()
  }

  /** Calls the listener when the clock was set, may have been, or is known now to have been. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Later, because screens look at the clock while they are drawn. */
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
