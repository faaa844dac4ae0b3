import { setTimeout as pause } from 'node:timers/promises'
import { countingInto, type Work } from '#platform/database/work.ts'
import { type Bounds, ofRequest, paced, shortest } from './budget-bounds.ts'

/** Units of a request that turned out to be heavy, though it was let in as light. */
const dear = 500

/** The light requests of one user: several at once, and one by one, no faster than the pace, once one of them was dear. */
export class LightLine {
  readonly #bounds: Bounds
  readonly #waiting: (() => void)[] = []
  #underWay = 0
  /** When the one after a dear one may begin, on the clock of `performance`. */
  #next = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Those in line included. */
  get size(): number {
    return this.#underWay + this.#waiting.length
  }

  /** Answers what it came to, and `spend` is told its units, however it ended. */
  async answer<T>(run: () => Promise<T>, spend: (units: number) => void): Promise<T> {
    if (this.#underWay >= this.#places) await new Promise<void>((go) => this.#waiting.push(go))
    else this.#underWay += 1
    const early = this.#next - performance.now()
    if (early >= shortest) await pause(early)
    const begun = performance.now()
    const work: Work = { units: ofRequest }
    try {
      return await countingInto(work, run)
    } finally {
      spend(work.units)
      if (work.units >= dear) this.#next = Math.max(this.#next, paced(begun, work.units, this.#bounds))
      this.#underWay -= 1
      for (const go of this.#waiting.splice(0, this.#places - this.#underWay)) {
        this.#underWay += 1
        go()
      }
    }
  }

  get #places(): number {
    return this.#next > performance.now() ? 1 : this.#bounds.lightPlaces
  }
}
