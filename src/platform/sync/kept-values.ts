import type { Step } from './device.ts'
import { type NewWrite, newEntry } from './entry.ts'
import type { Mirror } from './mirror.ts'

/** What this device keeps of an account under names, and changes by itself. */
export class KeptValues {
  #mirror: Mirror

  constructor(mirror: Mirror) {
    this.#mirror = mirror
  }

  /** null where nothing is kept under the name, undefined until the device was read. */
  of(name: string): unknown {
    return this.#mirror.isKnown ? (this.#mirror.values.get(name) ?? null) : undefined
  }

  subscribe(listener: () => void): () => void {
    return this.#mirror.subscribe(listener)
  }

  /**
   * Changes what is kept under a name by what it is at that moment; the writes that go with it are kept with it. `list`:
   * whose answer is handed to the step, too.
   */
  async change(
    name: string,
    step: (stored: unknown, answer: unknown) => { value: unknown; writes: readonly NewWrite[] },
    list?: string,
  ): Promise<void> {
    const changed = await this.#mirror.place(
      (device, account, life) => {
        const take = (stored: unknown, answer: unknown): Step => {
          const { value, writes } = step(stored, answer)
          return { value, entries: writes.map((write) => newEntry(account, write)) }
        }
        return device.change(account, life, name, take, list)
      },
      ({ value, placed }) => ({ placed, values: [[name, value]] }),
    )
    if (changed) this.#mirror.changed()
  }
}
