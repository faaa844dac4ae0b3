import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { listRows } from '#platform/browser/rows/row-elements.ts'
import { lazyPart, usePart } from '../lazy-part.tsx'
import { type BuiltRow, type BuiltRows, mostBuilt, type RowWindowHandle, usualHeight } from './built-rows.ts'

/** What a screen reader is told of a row whose neighbours may have no elements. */
export interface RowPlace {
  'aria-posinset': number
  'aria-setsize': number
}

interface RowListProps<Row> extends Omit<ComponentProps<'ul'>, 'ref' | 'children'> {
  ref?: RefObject<HTMLUListElement | null> | undefined
  rows: readonly Row[]
  /** Draws the row as an `li` with its id in `data-row`. `place` is to be spread on it; `key` is its key, if that is not its id. */
  draw(row: Row, place?: RowPlace, key?: string): ReactNode
  /** How many rows the board shows in all its lists. With very many, only those near the window are built. */
  total: number
  /** How many rows the board shows above this list. */
  above: number
}

/**
 * A list of rows. In a long one, only the rows near the window and the one with the focus have elements; all others are found
 * through `row-elements.ts`. The first screenful is drawn at once, the code for the rest comes after it.
 */
export function RowList<Row extends { id: string }>({
  ref,
  rows,
  draw,
  total,
  above,
  ...list
}: RowListProps<Row>): ReactNode {
  const own = useRef<HTMLUListElement>(null)
  const element = ref ?? own
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  // Once long, it stays so: after a search, its rows may have the elements of others, of which only the window knows.
  const hasBeenLong = useRef(false)
  hasBeenLong.current ||= total > mostBuilt
  const long = hasBeenLong.current
  const [first] = useState(() => Math.max(0, screenful() - above))
  // How many rows were drawn while the list was short, or up to a row that was asked for. They stay until the window takes over,
  // which knows which rows are in use.
  const drawn = useRef(0)
  if (!long) drawn.current = rows.length
  const RowWindow = usePart(LazyRowWindow, long)
  const [rowWindow, setRowWindow] = useState<RowWindowHandle>()

  useLayoutEffect(() => {
    if (!long || !element.current) return
    listRows(element.current, rows, (id) => {
      if (rowWindow) rowWindow.keep(id)
      else drawn.current = rows.findIndex((row) => row.id === id) + screenful()
      flushSync(drawAgain)
    })
  }, [element, long, rows, rowWindow])

  const show = useCallback((shown: RowWindowHandle | undefined) => setRowWindow(() => shown), [])
  // When many rows come into a short list at once, the window draws them: thousands are spread over some frames.
  const least = RowWindow && drawn.current ? 0 : first
  const built = long ? (rowWindow?.builtOf(rows) ?? firstOf(rows, Math.max(least, drawn.current))) : undefined
  return (
    <>
      <ul ref={element} data-long={long || undefined} {...list}>
        {built
          ? withGaps(built, ({ index, key }) => {
              const row = rows[index]
              return row && draw(row, { 'aria-posinset': index + 1, 'aria-setsize': rows.length }, key)
            })
          : rows.map((row) => draw(row))}
      </ul>
      {RowWindow && long && (
        <RowWindow list={element} rows={rows} total={total} drawAgain={drawAgain} show={show} />
      )}
    </>
  )
}

const LazyRowWindow = lazyPart(() => import('./row-window.tsx'), 'RowWindow', 'after the screen')

function screenful(): number {
  return Math.ceil(window.innerHeight / usualHeight) + 2
}

function firstOf(rows: readonly unknown[], count: number): BuiltRows {
  const built = rows.slice(0, count).map((_, index) => ({
    index,
    start: index * usualHeight,
    end: (index + 1) * usualHeight,
  }))
  return { rows: built, height: rows.length * usualHeight }
}

/**
 * The rows, with gaps as high as the rows between them. A gap is named after what follows: with another order of names, React would
 * move the elements of rows, and one that is moved loses the focus.
 */
function withGaps({ rows, height }: BuiltRows, draw: (row: BuiltRow) => ReactNode): ReactNode[] {
  const drawn: ReactNode[] = []
  let bottom = 0
  const leaveGap = (until: number, before: number | string) => {
    if (until > bottom)
      drawn.push(<li key={`before ${before}`} aria-hidden="true" style={{ height: until - bottom }} />)
  }
  for (const row of rows) {
    leaveGap(row.start, row.index)
    drawn.push(draw(row))
    bottom = row.end
  }
  leaveGap(height, 'end')
  return drawn
}
