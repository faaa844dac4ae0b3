import { type NewEntry, type NewWrite, newEntry } from './entry.ts'
import type { Mirror } from './mirror.ts'

/** What this device keeps of an account under names, and the server never hears of. */
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

  /** Changes what is kept under a name by what it is at that moment; the write that goes with it is kept with it. */
  async change(name: string, step: (stored: unknown) => { value: unknown; write?: NewWrite }): Promise<void> {
    const changed = await this.#mirror.place(
      (device, account, life) =>
        device.change(account, life, name, (stored) => {
          const { value, write } = step(stored)
          const entries: NewEntry[] = write ? [newEntry(account, write)] : []
          return { value, entries }
        }),
      ({ value, placed }) => ({ placed, values: [[name, value]] }),
    )
    if (changed) this.#mirror.changed()
  }
}
