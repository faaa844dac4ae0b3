/**
 * Puts a great many things in order that arrive in small groups, each in order: no group is merged more often than its
 * things double, so that what there is to do at once stays a small part of the whole.
 */
export class Merging<Thing> {
  readonly #isBefore: (one: Thing, other: Thing) => boolean
  /** The longest first, each at least twice as long as the next. */
  readonly #groups: Thing[][] = []

  constructor(isBefore: (one: Thing, other: Thing) => boolean) {
    this.#isBefore = isBefore
  }

  add(group: Thing[]): void {
    this.#groups.push(group)
    for (;;) {
      const [longer, shorter] = this.#groups.slice(-2)
      if (!longer || !shorter || longer.length >= 2 * shorter.length) return
      this.#mergeLast(longer, shorter)
    }
  }

  /** All of them, in order. */
  all(): Thing[] {
    for (;;) {
      const [longer, shorter] = this.#groups.slice(-2)
      if (!longer) return []
      if (!shorter) return longer
      this.#mergeLast(longer, shorter)
    }
  }

  #mergeLast(one: readonly Thing[], other: readonly Thing[]): void {
    const merged: Thing[] = []
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
