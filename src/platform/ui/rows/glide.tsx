import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useFocusStaysInRows } from '#platform/browser/rows/focus-stays-in-rows.ts'
import { type Aim, noteAim } from '#platform/browser/rows/note-aim.ts'

const timing = { duration: 180, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

interface GlideProps {
  container: RefObject<HTMLElement | null>
  /** Any value that is different once other rows have arrived. */
  rows: unknown
  /** Receives a function to call just before rows glide. */
  begin: RefObject<() => void>
  /** Receives what the person is aiming at. */
  aim: RefObject<Aim>
}

/**
 * Makes the rows of the lists in `container` glide to their new places. They glide after a change by the person, and after
 * changes that were held back while the person aimed at the rows. Rows that move for any other reason jump, and the focus stays
 * in the rows. Draws nothing.
 */
export function Glide({ container, rows, begin, aim }: GlideProps) {
  const before = useRef<ReadonlyMap<string, number>>(undefined)
  useFocusStaysInRows(container, rows)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the arrival of other rows that it waits for
  useLayoutEffect(() => {
    const places = before.current
    before.current = undefined
    if (places === undefined || container.current === null) return
    const origin = container.current.getBoundingClientRect().top
    for (const { row, top } of rowsInView(container.current)) {
      const from = places.get(row.dataset.row ?? '')
      if (from === undefined) row.animate([{ opacity: 0 }, {}], timing)
      else if (from !== top - origin)
        row.animate([{ transform: `translateY(${from + origin - top}px)` }, {}], timing)
    }
  }, [rows])

  useEffect(() => {
    begin.current = () => {
      if (container.current === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return
      const origin = container.current.getBoundingClientRect().top
      before.current = new Map(
        rowsInView(container.current).map(({ row, top }) => [row.dataset.row ?? '', top - origin]),
      )
    }
  }, [container, begin])
  useEffect(() => noteAim(container, aim.current), [container, aim])
  return null
}

interface PlacedRow {
  row: HTMLElement
  top: number
}

/** Only rows in view or close to it: measuring a thousand rows takes longer than showing them. */
function rowsInView(container: HTMLElement): PlacedRow[] {
  const margin = window.innerHeight / 2
  return [...container.querySelectorAll('ul')].flatMap((list) => {
    const rows = list.children
    const placed: PlacedRow[] = []
    for (let next = firstBelow(rows, -margin); next < rows.length; next++) {
      const row = rows[next]
      // Between rows, a long list has gaps in place of the rows that are not built.
      if (!(row instanceof HTMLElement) || row.ariaHidden) continue
      const { top } = row.getBoundingClientRect()
      if (top > window.innerHeight + margin) break
      placed.push({ row, top })
    }
    return placed
  })
}

/** Index of the first row whose bottom edge is below `height` in the window. */
function firstBelow(rows: HTMLCollection, height: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) < height) low = middle + 1
    else high = middle
  }
  return low
}
