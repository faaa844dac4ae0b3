/**
 * Sorts many items that arrive in small, sorted groups. A group is merged again only once its size has doubled, so that the work
 * done in one go stays a small part of the whole.
 */
export class IncrementalMergeSort<Item> {
  readonly #isBefore: (one: Item, other: Item) => boolean
  /** Sorted groups, the longest first, each at least twice as long as the next. */
  readonly #groups: Item[][] = []

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore
  }

  add(group: Item[]): void {
    this.#groups.push(group)
    for (;;) {
      const [longer, shorter] = this.#groups.slice(-2)
      if (!longer || !shorter || longer.length >= 2 * shorter.length) return
      this.#mergeLast(longer, shorter)
    }
  }

  /** Returns all items, in order. */
  all(): Item[] {
    for (;;) {
      const [longer, shorter] = this.#groups.slice(-2)
      if (!longer) return []
      if (!shorter) return longer
      this.#mergeLast(longer, shorter)
    }
  }

  #mergeLast(one: readonly Item[], other: readonly Item[]): void {
    const merged: Item[] = []
    let [inOne, inOther] = [0, 0]
    for (;;) {
      const [first, second] = [one[inOne], other[inOther]]
      if (first === undefined || second === undefined) break
      if (this.#isBefore(second, first)) {
        merged.push(second)
        inOther += 1
      } else {
        merged.push(first)
        inOne += 1
      }
    }
    this.#groups.splice(-2, 2, [...merged, ...one.slice(inOne), ...other.slice(inOther)])
  }
}
