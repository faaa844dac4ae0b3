/** What a write did: its user's new revision, and the collections that it changed, by their names in the API. */
export interface Change {
  revision: string
  /**
   * The revision before this change. A client that knows a different revision has missed a message. Left out on SQLite, where
   * only one process writes and no message is lost.
   */
  before?: string
  collections: readonly string[]
  /** How many rows the write told; undefined if it didn't tell all, or if another process wrote. */
  rows?: number | undefined
}

/** Called when a user's rows changed. Undefined means that something may have changed, which the listener has to look up. */
export type ChangeListener = (change: Change | undefined) => void

/** The connection to the server's other processes. */
interface Others {
  forward(user: string, change: Change | undefined): void
  /** Called when a listener is added in this process. */
  onListen(): void
}

/** Notifies listeners in this process when a user's rows have changed. Notifications are fast but can be lost: see `notify`. */
export class Changes {
  readonly #listeners = new Map<string, Set<ChangeListener>>()
  readonly #others: Others | undefined

  constructor(others?: Others) {
    this.#others = others
  }

  /**
   * Calls the listener when the user's rows change. Returns an unsubscribe function. A listener that reads the revision after
   * subscribing misses nothing.
   */
  listen(user: string, listener: ChangeListener): () => void {
    this.#others?.onListen()
    const listeners = this.#listeners.get(user) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(user, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(user) === listeners) this.#listeners.delete(user)
    }
  }

  /**
   * Call it after the commit. The message is lost if the process is killed in between or a connection breaks. A listener that
   * must not miss a change has to compare the revision now and then.
   */
  notify(user: string, change?: Change): void {
    this.receive(user, change)
    this.#others?.forward(user, change)
  }

  /** Passes on a message from another process. */
  receive(user: string, change?: Change): void {
    for (const listener of this.#listeners.get(user) ?? []) listener(change)
  }

  /** Call it when messages from other processes may have been lost: tells every listener to look for changes. */
  notifyAll(): void {
    for (const user of this.#listeners.keys()) this.receive(user)
  }
}
