import { setTimeout as pause } from 'node:timers/promises'
import { countingInto, unitsOf, type Work } from '#platform/database/pacing/work.ts'
import { type Bounds, shortestPause, unitsPerRequest } from './budget-bounds.ts'

/** Units from which a request that was admitted as light counts as heavy after all. */
const expensive = 500
/** Milliseconds of work that a user may send at once before being slowed down; enough for a few hundred changes. */
const unhurried = 500

/**
 * Runs one user's light requests. Several run in parallel; after an expensive request, or many cheap ones, they are slowed down
 * to `Bounds.pace`.
 */
export class LightQueue {
  readonly #bounds: Bounds
  readonly #waiting: (() => void)[] = []
  #underWay = 0
  /** When the next request may begin, on the `performance` clock. */
  #next = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** The number of requests, including waiting ones. */
  get size(): number {
    return this.#underWay + this.#waiting.length
  }

  /** Returns the result of `request`, and passes the units it used to `spend` even if it failed. */
  async run<T>(request: () => Promise<T>, spend: (units: number) => void): Promise<T> {
    if (this.#underWay >= this.#slots) await new Promise<void>((go) => this.#waiting.push(go))
    else this.#underWay += 1
    const early = this.#next - performance.now()
    if (early >= shortestPause) await pause(early)
    const work: Work = { units: unitsPerRequest, cpu: 0 }
    try {
      return await countingInto(work, request)
    } finally {
      const units = unitsOf(work, this.#bounds.microsecondsPerUnit)
      spend(units)
      this.#slowDown(units, work.cpu / 1_000)
      this.#underWay -= 1
      for (const go of this.#waiting.splice(0, this.#slots - this.#underWay)) {
        this.#underWay += 1
        go()
      }
    }
  }

  /**
   * Postpones the next request by the time that the units take at the allowed pace, or by the rest after the work if that is
   * longer. Requests that run in parallel add up.
   */
  #slowDown(units: number, milliseconds: number): void {
    const { pace, rest } = this.#bounds
    const takes = Math.max((units / pace) * 1_000, rest * milliseconds)
    const since = performance.now() - (units < expensive ? unhurried : 0)
    this.#next = Math.max(this.#next, since) + takes
  }

  get #slots(): number {
    return this.#next > performance.now() ? 1 : this.#bounds.lightSlots
  }
}
