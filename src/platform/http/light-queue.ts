import { setTimeout as pause } from 'node:timers/promises'
import { countingInto, unitsOf, type Work } from '#platform/database/work.ts'
import { type Bounds, paced, shortestPause, unitsPerRequest } from './budget-bounds.ts'

/** Units from which a request counts as heavy after all, though it was admitted as light. */
const expensive = 500

/** Runs one user's light requests: several at once, but one by one and no faster than the pace after an expensive one. */
export class LightQueue {
  readonly #bounds: Bounds
  readonly #waiting: (() => void)[] = []
  #underWay = 0
  /** When the request after an expensive one may begin, on the `performance` clock. */
  #next = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Includes the waiting ones. */
  get size(): number {
    return this.#underWay + this.#waiting.length
  }

  /** Returns the result of `run`, and passes the units it used to `spend` even if it failed. */
  async answer<T>(run: () => Promise<T>, spend: (units: number) => void): Promise<T> {
    if (this.#underWay >= this.#slots) await new Promise<void>((go) => this.#waiting.push(go))
    else this.#underWay += 1
    const early = this.#next - performance.now()
    if (early >= shortestPause) await pause(early)
    const begun = performance.now()
    const work: Work = { units: unitsPerRequest, cpu: 0 }
    try {
      return await countingInto(work, run)
    } finally {
      const units = unitsOf(work, this.#bounds.microsecondsPerUnit)
      spend(units)
      if (units >= expensive) this.#next = Math.max(this.#next, paced(begun, units, this.#bounds))
      this.#underWay -= 1
      for (const go of this.#waiting.splice(0, this.#slots - this.#underWay)) {
        this.#underWay += 1
        go()
      }
    }
  }

  get #slots(): number {
    return this.#next > performance.now() ? 1 : this.#bounds.lightSlots
  }
}
