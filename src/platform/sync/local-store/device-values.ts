import type { StoredValueChange } from './local-store.ts'
import { newQueuedWrite, type WriteDescription } from './queued-write.ts'
import type { TabReplica } from './tab-replica.ts'

/** The device values of an account, by name. */
export class DeviceValues {
  #replica: TabReplica

  constructor(replica: TabReplica) {
    this.#replica = replica
  }

  /** The stored value: null if nothing is stored under the name, undefined until the local store has been read. */
  get({ name }: { name: string }): unknown {
    const { isLoaded, values } = this.#replica
    return isLoaded ? (values.get(name) ?? null) : undefined
  }

  subscribe(listener: () => void): () => void {
    return this.#replica.subscribe(listener)
  }

  /**
   * Changes the value under a name with `step`, which gets the stored value. The value and the writes that belong to it are
   * stored in one transaction. `collection`: the name of the collection whose latest response `step` gets as well.
   */
  async change(
    name: string,
    step: (stored: unknown, response: unknown) => { value: unknown; writes: readonly WriteDescription[] },
    collection?: string,
  ): Promise<void> {
    const changed = await this.#replica.addWrites(
      (store, account, incarnation) => {
        const take = (stored: unknown, response: unknown): StoredValueChange => {
          const { value, writes } = step(stored, response)
          return { value, writes: writes.map((write) => newQueuedWrite(account, write)) }
        }
        return store.changeValue(account, incarnation, name, take, collection)
      },
      ({ value, added }) => ({ added, values: [[name, value]] }),
    )
    if (changed) this.#replica.changed()
  }
}
