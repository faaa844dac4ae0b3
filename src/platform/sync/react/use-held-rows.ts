import { type RefObject, useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import type { Aim } from '#platform/browser/rows/note-aim.ts'
import { rowIdAround } from '#platform/browser/rows/row-elements.ts'
import { type HeldRow, HeldRows, type RowsNow, type ShownRows, tickLasts } from '../collections/held-rows.ts'
import { useBeforeRowsChange } from './offer-undo.ts'

interface HeldRowsOptions<Row> extends RowsNow<Row> {
  /** The element that contains the rows. Each row is an element with its id in `data-row`. */
  container: RefObject<HTMLElement | null>
  /** Called just before these rows are no longer held in their places. */
  onLetGo(rows: readonly HeldRow<Row>[]): void
  /** Called just before the person moves rows by an action outside of them, such as Undo. */
  onMove?(): void
}

interface HeldRowsShown<Row> extends ShownRows<Row> {
  /** What the person is pressing, pointing at or typing; `Glide` updates it. */
  aim: RefObject<Aim>
  /** Keeps a row in place for a moment. Call it with the row as it was before the change that may move it. */
  hold(row: Row): void
  /** Lets a row move at once, because the person moves it to another place themselves. */
  release(row: { id: string }): void
}

/**
 * The rows of a collection as a screen may show them. While the person aims at a row, or ticks one row after the other, rows stay
 * in place (`HeldRows` says which, and for how long).
 */
export function useHeldRows<Row extends { id: string }>({
  container,
  onLetGo,
  onMove,
  ...now
}: HeldRowsOptions<Row>): HeldRowsShown<Row> {
  const [held] = useState(() => new HeldRows<Row>())
  const [, show] = useReducer((count: number) => count + 1, 0)
  const aim = useRef<Aim>({
    isDown: false,
    pointed: Number.NEGATIVE_INFINITY,
    typed: Number.NEGATIVE_INFINITY,
  })
  const shown = held.follow(now, aim.current, performance.now())

  const hold = useCallback(
    (row: Row) => {
      held.hold(row, performance.now())
      show()
    },
    [held],
  )
  const release = useCallback(
    ({ id }: { id: string }) => {
      held.release([id])
      show()
    },
    [held],
  )
  useBeforeRowsChange((ids) => {
    held.release(ids)
    show()
    onMove?.()
  })

  const look = useEffectEvent((): number | undefined => {
    const left = held.letGo(aim.current, performance.now(), editedIn(container.current))
    if (left.length === 0) return tickLasts
    onLetGo(left)
    show()
  })
  useEffect(() => {
    if (!shown.holdsAny) return
    let timer: ReturnType<typeof setTimeout>
    const wait = (ifPast = 0) => {
      const next = held.nextLook(aim.current)
      if (next === undefined) return
      const left = next - performance.now()
      timer = setTimeout(() => wait(look()), left > 0 ? left : ifPast)
    }
    wait()
    return () => clearTimeout(timer)
  }, [shown, held])

  return { ...shown, aim, hold, release }
}

/** The id of the row whose title is being typed, or else of a row whose title field is open. */
function editedIn(container: HTMLElement | null): string | undefined {
  const field =
    container?.querySelector('[data-row] input[type=text]:focus') ??
    container?.querySelector('[data-row] input[type=text]')
  return rowIdAround(field)
}
