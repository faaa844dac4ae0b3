import { isOlderValue, type Writers } from './change-order.ts'

/** A value that a page must not fall behind. */
export interface Bound<Reason> {
  writers: Writers
  reason: Reason
}

/** The newest values that a page must not fall behind in one register. There are several where no clock tells which is newer. */
export class Floor<Reason> {
  #bounds: Bound<Reason>[] = []

  raise(bound: Bound<Reason>): void {
    const { writers } = bound
    if (this.covers(writers)) return
    this.#bounds = [...this.#bounds.filter((each) => !implies(writers, each.writers)), bound]
  }

  /** Whether whatever falls behind this value also falls behind a bound. */
  covers(writers: Writers): boolean {
    return this.#bounds.some((each) => implies(each.writers, writers))
  }

  /** A bound that this value falls behind, whoever wrote it. */
  above(shown: Writers): Bound<Reason> | undefined {
    if (this.notBelow(shown).length > 0) return undefined
    return this.#bounds.find(({ writers }) => isOlderValue(shown, writers)) ?? this.#bounds[0]
  }

  /** Those of the writers that are not older than a bound. */
  notBelow(writers: Writers): Writers {
    return writers.filter((each) => !this.#bounds.some((bound) => isOlderValue([each], bound.writers)))
  }
}

/** Whether whatever falls behind the lower value also falls behind the upper one. */
function implies(upper: Writers, lower: Writers): boolean {
  return upper.every((each) => lower.includes(each)) || isOlderValue(lower, upper)
}

/** A floor for each register, as far as there is one. */
export class Floors<Register, Reason> {
  #floors = new Map<Register, Floor<Reason>>()

  raise(register: Register, bound: Bound<Reason>): void {
    const floor = this.#floors.get(register) ?? new Floor<Reason>()
    floor.raise(bound)
    this.#floors.set(register, floor)
  }

  covers(register: Register, writers: Writers): boolean {
    return this.#floors.get(register)?.covers(writers) ?? false
  }

  above(register: Register, shown: Writers): Bound<Reason> | undefined {
    return this.#floors.get(register)?.above(shown)
  }

  notBelow(register: Register, writers: Writers): Writers {
    return this.#floors.get(register)?.notBelow(writers) ?? writers
  }
}
