/** What a write did: the revision that it gave its user, and the lists of the wire that it changed. */
export interface Change {
  revision: string
  /** The one before it: whoever knows another has missed a word. Left out on SQLite, whose one process loses none. */
  before?: string
  lists: readonly string[]
}

/** Undefined: something may have happened, which the listener has to look up. */
export type ChangeListener = (change: Change | undefined) => void

/** The other processes. */
interface Others {
  passOn(user: string, change: Change | undefined): void
  /** Somebody listens here. */
  wanted(): void
}

/** Who wants to know that somebody's rows were changed, in this process. It promises speed, not completeness: see `tell`. */
export class Changes {
  readonly #listeners = new Map<string, Set<ChangeListener>>()
  readonly #others: Others | undefined

  constructor(others?: Others) {
    this.#others = others
  }

  /** Answers the way back. Whoever listens and then reads the revision misses nothing. */
  listen(user: string, listener: ChangeListener): () => void {
    this.#others?.wanted()
    const listeners = this.#listeners.get(user) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(user, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(user) === listeners) this.#listeners.delete(user)
    }
  }

  /**
   * After the commit. A process that is killed in between, or a connection that breaks, loses the word: whoever has to know
   * compares the revision now and then.
   */
  tell(user: string, change?: Change): void {
    this.hear(user, change)
    this.#others?.passOn(user, change)
  }

  /** What another process was told. */
  hear(user: string, change?: Change): void {
    for (const listener of this.#listeners.get(user) ?? []) listener(change)
  }

  /** Words of other processes may have been lost. */
  hearOfAll(): void {
    for (const user of this.#listeners.keys()) this.hear(user)
  }
}
