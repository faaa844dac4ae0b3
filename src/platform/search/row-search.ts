import { fold } from './fold.ts'
import { type FoldedTexts, isNarrower, type MatchRank, matchOf, type Wanted } from './match.ts'

/** What a kind of row can be found by, and what comes first among those found equally well. */
export interface Searched<Row extends object> {
  title(row: Row): string
  more?(row: Row): readonly string[]
  /** It comes after all that is not done. */
  isDone?(row: Row): boolean
  /** When it was last changed: the latest first. Without it, and among equals, the order of the rows stands. */
  touched?(row: Row): string
}

export interface RowSearch<Row extends object> {
  matches(row: Row, wanted: Wanted): boolean
  /** The best of the rows that match, and how many match in all. */
  best<Each extends Row>(rows: readonly Each[], wanted: Wanted, most: number): { rows: Each[]; count: number }
  /** Folds the rows now, so that the first search need not. */
  prepare(rows: readonly Row[]): void
}

/** Looks at every row that may match. Each is folded once: a row that changes is another object, and so is the array it stands in. */
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
  /** Weakly: nothing of rows that are gone stays. */
  const lists = new WeakMap<readonly Row[], Listed>()
  const listedOf = (rows: readonly Row[]): Listed => {
    let listed = lists.get(rows)
    if (!listed) {
      listed = { texts: rows.map(textsOf), answer: undefined }
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
      const { texts, answer } = listed
      // With each letter that is added there are fewer of them.
      const places = answer && isNarrower(wanted, answer.wanted) ? answer.places : rows.keys()
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
      listed.answer = { wanted, places: matching }
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

/** The folded texts of rows in their order, and the places of those that matched what was searched for among them last. */
interface Listed {
  texts: readonly FoldedTexts[]
  answer: { wanted: Wanted; places: readonly number[] } | undefined
}
