import { useEffect } from 'react'
import type { RowSearch } from '#platform/search/row-search.ts'

/** Folds the rows before the first key searches them, a few at a time, so that no key or press waits for it. */
export function usePreparedSearch<Row extends object>(search: RowSearch<Row>, rows: readonly Row[]): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const goOn = () => {
      const end = performance.now() + atOnce
      if (!search.prepare(rows, () => performance.now() > end)) goOnLater()
    }
    const goOnLater = () => {
      timer = setTimeout(goOn)
    }
    goOnLater()
    return () => clearTimeout(timer)
  }, [search, rows])
}

/** Milliseconds: the page can answer in between. */
const atOnce = 4
