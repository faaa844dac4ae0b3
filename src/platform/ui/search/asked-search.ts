import { areFound, type Wanted } from '#platform/search/match.ts'
import type { RowSearch } from '#platform/search/row-search.ts'
import type { Sought } from './screen-search-props.ts'

/** A search, and what a screen has asked of it: while further keys change none of the answers, the screen need not be drawn again. */
export class AskedSearch<Row extends object> implements Sought<Row> {
  readonly #search: RowSearch<Row>
  #wanted: Wanted
  #answers = new Map<readonly Row[], readonly number[]>()
  #isAskedOfOthers = false

  constructor(search: RowSearch<Row>, wanted: Wanted) {
    this.#search = search
    this.#wanted = wanted
  }

  readonly has = (row: Row) => {
    this.#isAskedOfOthers = true
    return this.#search.matches(row, this.#wanted)
  }

  readonly hasTexts = (title: string, ...more: readonly string[]) => {
    this.#isAskedOfOthers = true
    return areFound(this.#wanted, title, ...more)
  }

  readonly among = (rows: readonly Row[], placeOf?: (row: Row) => Row) => {
    const asked = placeOf ? rows.map(placeOf) : rows
    const places = this.#search.places(asked, this.#wanted)
    this.#answers.set(asked, places)
    const [oldest] = this.#answers.keys()
    if (oldest && this.#answers.size > listsAtOnce) this.#answers.delete(oldest)
    return places.flatMap((place) => rows[place] ?? [])
  }

  /** Looks for `wanted` from now on, if all that was asked has the same answer. Returns whether it does. */
  goesOnWith(wanted: Wanted): boolean {
    if (this.#isAskedOfOthers) return false
    for (const [rows, before] of this.#answers) {
      const now = this.#search.places(rows, wanted)
      if (now.length !== before.length || now.some((place, nth) => place !== before[nth])) return false
    }
    this.#wanted = wanted
    return true
  }
}

/** A screen asks of its open and of its completed rows; what it asked before these is gone. */
const listsAtOnce = 2
