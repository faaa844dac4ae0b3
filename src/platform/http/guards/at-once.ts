/** Limits how many calls are under way, per user and in total, where their number is what bounds the memory. */
export class AtOnce {
  readonly #most: { perUser: number; inTotal: number }
  readonly #ofUsers = new Map<string, number>()
  #all = 0

  constructor(most: { perUser: number; inTotal: number }) {
    this.#most = most
  }

  /** Returns a function that ends the call; undefined when too many are under way. */
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
