import { isOlderText, type Writers } from './change-order.ts'

/** A text that a page must not fall behind. */
export interface Bound<Reason> {
  writers: Writers
  reason: Reason
}

/** The newest texts that a page must not fall behind in one register. There are several where no clock tells which is newer. */
export class Floor<Reason> {
  #bounds: Bound<Reason>[] = []

  raise(bound: Bound<Reason>): void {
    const { writers } = bound
    if (this.#bounds.some((each) => each.writers === writers || isOlderText(writers, each.writers))) return
    this.#bounds = [...this.#bounds.filter((each) => !isOlderText(each.writers, writers)), bound]
  }

  /** A bound that this text falls behind, if any. */
  above(shown: Writers): Bound<Reason> | undefined {
    return this.#bounds.find(({ writers }) => isOlderText(shown, writers))
  }
}

/** A floor for each register, as far as there is one. */
export class Floors<Register, Reason> {
  #floors = new Map<Register, Floor<Reason>>()

  raise(register: Register, bound: Bound<Reason>): void {
    const floor = this.#floors.get(register) ?? new Floor<Reason>()
    floor.raise(bound)
    this.#floors.set(register, floor)
  }

  above(register: Register, shown: Writers): Bound<Reason> | undefined {
    return this.#floors.get(register)?.above(shown)
  }
}
