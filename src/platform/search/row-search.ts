import { fold } from './fold.ts'
import { type FoldedTexts, isNarrower, type MatchRank, matchOf, type Wanted } from './match.ts'
import { startsIn, startsNeeded } from './word-starts.ts'

/** How rows of one kind are searched and how results are ordered. */
export interface Searched<Row extends object> {
  title(row: Row): string
  more?(row: Row): readonly string[]
  /** Done rows come after all others. */
  isDone?(row: Row): boolean
  /** When the row was last changed; the latest comes first. Without it, and among equals, the order of the rows stays. */
  touched?(row: Row): string
}

export interface RowSearch<Row extends object> {
  matches(row: Row, wanted: Wanted): boolean
  /** The best `most` of the matching rows, and the number of all matches. */
  best<Each extends Row>(rows: readonly Each[], wanted: Wanted, most: number): { rows: Each[]; count: number }
  /** The places of all matching rows, in order. */
  places(rows: readonly Row[], wanted: Wanted): readonly number[]
  /**
   * Folds the rows in advance, to speed up the first search. Stops once `isTimeUp`, and returns whether all are folded: the next call
   * goes on from there.
   */
  prepare(rows: readonly Row[], isTimeUp?: () => boolean): boolean
}

/** Searches rows in memory. Each row is folded only once: a changed row is a new object, in a new array. */
export function searchRows<Row extends object>({
  title,
  more,
  isDone,
  touched,
}: Searched<Row>): RowSearch<Row> {
  const folded = new WeakMap<Row, RowTexts>()
  const textsOf = (row: Row): RowTexts => {
    let texts = folded.get(row)
    if (!texts) {
      texts = { title: fold(title(row)), more: more?.(row).map(fold) ?? [], starts: undefined }
      folded.set(row, texts)
    }
    return texts
  }
  /** The folded texts and the last search of each array of rows. Weak, so that arrays which are gone can be collected. */
  const lists = new WeakMap<readonly Row[], Listed>()
  const listedOf = (rows: readonly Row[], isTimeUp?: () => boolean): Listed => {
    let listed = lists.get(rows)
    if (!listed) {
      listed = { texts: [], starts: new Int32Array(rows.length), lastSearch: undefined }
      lists.set(rows, listed)
    }
    const { texts, starts } = listed
    for (let place = texts.length; place < rows.length; place++) {
      const row = rows[place]
      if (!row) break
      const of = textsOf(row)
      of.starts ??= startsIn(of.title) | of.more.reduce((all, text) => all | startsIn(text), 0)
      texts.push(of)
      starts[place] = of.starts
      if (texts.length % rowsAtOnce === 0 && isTimeUp?.()) break
    }
    return listed
  }
  /** Calls `take` for each matching row, and returns the places of all. */
  const search = (
    rows: readonly Row[],
    wanted: Wanted,
    take?: (place: number, rank: MatchRank) => void,
  ): readonly number[] => {
    const listed = listedOf(rows)
    const { texts, starts, lastSearch } = listed
    if (!take && lastSearch?.wanted === wanted) return lastSearch.places
    // While letters are added, search only the previous matches.
    const among = lastSearch && isNarrower(wanted, lastSearch.wanted) ? lastSearch.places : undefined
    const needed = startsNeeded(wanted.words)
    const matching: number[] = []
    const count = among?.length ?? texts.length
    for (let nth = 0; nth < count; nth++) {
      const place = among?.[nth] ?? nth
      if (((starts[place] ?? 0) & needed) !== needed) continue
      const of = texts[place]
      const rank = of && matchOf(of, wanted)
      if (rank === undefined) continue
      matching.push(place)
      take?.(place, rank)
    }
    listed.lastSearch = { wanted, places: matching }
    return matching
  }
  const isBetter = (one: Match<Row>, other: Match<Row>): boolean => {
    if (one.done !== other.done) return other.done
    if (one.rank !== other.rank) return one.rank < other.rank
    return one.touched > other.touched
  }
  return {
    matches: (row, wanted) => matchOf(textsOf(row), wanted) !== undefined,
    best<Each extends Row>(rows: readonly Each[], wanted: Wanted, most: number) {
      const best: Match<Each>[] = []
      const places = search(rows, wanted, (place, rank) => {
        const row = rows[place]
        const last = best.length === most ? best.at(-1) : undefined
        // Most of thousands of matches go here.
        if (!row || (last && !last.done && rank > last.rank)) return
        const match = { row, rank, done: isDone?.(row) ?? false, touched: touched?.(row) ?? '' }
        if (last && !isBetter(match, last)) return
        let at = best.length
        while (at > 0 && isBetter(match, best[at - 1] ?? match)) at--
        best.splice(at, 0, match)
        if (best.length > most) best.pop()
      })
      return { rows: best.map(({ row }) => row), count: places.length }
    },
    places: (rows, wanted) => search(rows, wanted),
    prepare: (rows, isTimeUp) => listedOf(rows, isTimeUp).texts.length === rows.length,
  }
}

/** So many rows are folded between two looks at the clock. */
const rowsAtOnce = 20

interface RowTexts extends FoldedTexts {
  /** Of `startsIn` all texts; undefined until the row is searched among others. */
  starts: number | undefined
}

interface Match<Row> {
  row: Row
  rank: MatchRank
  done: boolean
  touched: string
}

/** The folded texts of an array of rows, as far as they are prepared, and the places of the rows that matched the last search. */
interface Listed {
  texts: RowTexts[]
  starts: Int32Array
  lastSearch: { wanted: Wanted; places: readonly number[] } | undefined
}
