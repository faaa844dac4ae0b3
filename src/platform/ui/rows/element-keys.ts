/**
 * Names the elements of a list's rows for React. As a rule each row keeps its element. While a search brings other rows with each
 * key, rows take over the elements that are there, one after the other, which is far quicker than to build them: a name then stays
 * that of the row it was made for. No element moves in the document for it, because one that is moved loses the focus.
 */
export class ElementKeys {
  #drawn: ReadonlyMap<string, string> = new Map()
  #next: ReadonlyMap<string, string> = this.#drawn

  /**
   * The names for rows about to be drawn, by their ids. `isFree`: whether another row may take over the element of a row, also of one
   * that stays; without it, none may. `needsOwn`: whether a row must have an element that was built for it.
   */
  keysFor(
    ids: readonly string[],
    isFree = (_id: string) => false,
    needsOwn = (_id: string) => false,
  ): ReadonlyMap<string, string> {
    const before = [...this.#drawn.keys()]
    const shown = new Set(ids)
    const keepsIts = new Set(before.filter((id) => shown.has(id) && !isFree(id)))
    // Also those of rows that leave: React would take their elements for others.
    const used = new Set(this.#drawn.values())
    const next = new Map<string, string>()
    let at = 0
    const takeNext = () => {
      for (let id = before[at]; id !== undefined && !keepsIts.has(id); id = before[at]) {
        at++
        if (isFree(id)) return this.#drawn.get(id)
      }
    }
    for (const id of ids) {
      let key: string | undefined
      if (keepsIts.has(id)) {
        key = this.#drawn.get(id)
        at = Math.max(at, before.indexOf(id) + 1)
      } else if (!needsOwn(id)) key = takeNext()
      key ??= unlike(id, used)
      used.add(key)
      next.set(id, key)
    }
    this.#next = next
    return next
  }

  /** What was last named has been drawn. */
  drawn(): void {
    this.#drawn = this.#next
  }
}

function unlike(id: string, used: ReadonlySet<string>): string {
  return used.has(id) ? unlike(`${id} again`, used) : id
}
