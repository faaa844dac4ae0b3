/** Counts what is under way of each user and of all of them, where its number is what bounds the memory. */
export class AtOnce {
  readonly #most: { perUser: number; inTotal: number }
  readonly #ofUsers = new Map<string, number>()
  #all = 0

  constructor(most: { perUser: number; inTotal: number }) {
    this.#most = most
  }

  /** Returns what ends it; undefined if there are too many already. */
  begin(user: string): (() => void) | undefined {
    const own = this.#ofUsers.get(user) ?? 0
    if (own >= this.#most.perUser || this.#all >= this.#most.inTotal) return undefined
    this.#count(user, 1)
    return () => this.#count(user, -1)
  }

  #count(user: string, change: 1 | -1): void {
    this.#all += change
    const own = (this.#ofUsers.get(user) ?? 0) + change
    if (own === 0) this.#ofUsers.delete(user)
    else this.#ofUsers.set(user, own)
  }
}
