import { fold } from './fold.ts'
import { type FoldedTexts, type MatchRank, matchOf, type Wanted } from './match.ts'

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

/** Looks at every row. Each is folded once: a row that changes is another object. */
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
  interface Match<Each> {
    row: Each
    rank: MatchRank
    done: boolean
    touched: string
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
      let count = 0
      for (const row of rows) {
        const rank = matchOf(textsOf(row), wanted)
        if (rank === undefined) continue
        count++
        const match = { row, rank, done: isDone?.(row) ?? false, touched: touched?.(row) ?? '' }
        const last = best.at(-1)
        if (best.length === most && last && !isBetter(match, last)) continue
        let place = best.length
        while (place > 0 && isBetter(match, best[place - 1] ?? match)) place--
        best.splice(place, 0, match)
        if (best.length > most) best.pop()
      }
      return { rows: best.map(({ row }) => row), count }
    },
    prepare(rows) {
      for (const row of rows) textsOf(row)
    },
  }
}
