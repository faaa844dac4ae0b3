import { fold } from './fold.ts'
import { type FoldedTexts, isNarrower, type MatchRank, matchOf, type Wanted } from './match.ts'

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
  /** Folds the rows in advance, to speed up the first search. */
  prepare(rows: readonly Row[]): void
}

/** Searches rows in memory. Each row is folded only once: a changed row is a new object, in a new array. */
export function searchRows<Row extends object>({
  title,
  more,
  isDone,
  touched,
}: Searched<Row>): RowSearch<Row> {
  const folded = new WeakMap<Row, FoldedTexts>()
  const textsOf = (row: Row): FoldedTexts => {
    let texts = folded.get(row)
    if (!texts) {
      texts = { title: fold(title(row)), more: more?.(row).map(fold) ?? [] }
      folded.set(row, texts)
    }
    return texts
  }
  /** The folded texts and the last search of each array of rows. Weak, so that arrays which are gone can be collected. */
  const lists = new WeakMap<readonly Row[], Listed>()
  const listedOf = (rows: readonly Row[]): Listed => {
    let listed = lists.get(rows)
    if (!listed) {
      listed = { texts: rows.map(textsOf), lastSearch: undefined }
      lists.set(rows, listed)
    }
    return listed
  }
  const isBetter = (one: Match<Row>, other: Match<Row>): boolean => {
    if (one.done !== other.done) return other.done
    if (one.rank !== other.rank) return one.rank < other.rank
    return one.touched > other.touched
  }
  return {
    matches: (row, wanted) => matchOf(textsOf(row), wanted) !== undefined,
    best<Each extends Row>(rows: readonly Each[], wanted: Wanted, most: number) {
      const listed = listedOf(rows)
      const { texts, lastSearch } = listed
      // While letters are added, search only the previous matches.
      const places = lastSearch && isNarrower(wanted, lastSearch.wanted) ? lastSearch.places : rows.keys()
      const matching: number[] = []
      const best: Match<Each>[] = []
      for (const place of places) {
        const row = rows[place]
        const of = texts[place]
        const rank = of && matchOf(of, wanted)
        if (!row || rank === undefined) continue
        matching.push(place)
        const match = { row, rank, done: isDone?.(row) ?? false, touched: touched?.(row) ?? '' }
        const last = best.at(-1)
        if (best.length === most && last && !isBetter(match, last)) continue
        let at = best.length
        while (at > 0 && isBetter(match, best[at - 1] ?? match)) at--
        best.splice(at, 0, match)
        if (best.length > most) best.pop()
      }
      listed.lastSearch = { wanted, places: matching }
      return { rows: best.map(({ row }) => row), count: matching.length }
    },
    prepare(rows) {
      listedOf(rows)
    },
  }
}

interface Match<Row> {
  row: Row
  rank: MatchRank
  done: boolean
  touched: string
}

/** The folded texts of an array of rows, and the places of the rows that matched the last search. */
interface Listed {
  texts: readonly FoldedTexts[]
  lastSearch: { wanted: Wanted; places: readonly number[] } | undefined
}
