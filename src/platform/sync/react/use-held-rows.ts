import { type RefObject, useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import type { Aim } from '#platform/browser/rows/note-aim.ts'
import { type HeldRow, HeldRows, type RowsNow, type ShownRows, tickLasts } from '../collections/held-rows.ts'
import { useBeforeRowsChange } from './offer-undo.ts'

interface HeldRowsOptions<Row> extends RowsNow<Row> {
  /** Holds the rows, each an element that names its own in `data-row`. */
  container: RefObject<HTMLElement | null>
  /** Called just before these are let go. */
  onLetGo(rows: readonly HeldRow<Row>[]): void
  /** Called just before the person changes the places of rows elsewhere than in them, such as by Undo. */
  onMove?(): void
}

interface HeldRowsShown<Row> extends ShownRows<Row> {
  /** What the person does with their hands, for `Glide` to note in. */
  aim: RefObject<Aim>
  /** Keeps a row where it is for a moment: to be called with the row as it was before the change that may move it. */
  hold(row: Row): void
  /** The person moves it to another place themselves: it goes there at once. */
  release(row: { id: string }): void
}

/**
 * The rows of a collection as a list may show them: while the person aims at one, or ticks one after the other, rows stay where they are
 * (`HeldRows` says which, and for how long).
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

/** The row in which a title is being typed, or else one in which a title waits to be. */
function editedIn(container: HTMLElement | null): string | undefined {
  const field =
    container?.querySelector('[data-row] input[type=text]:focus') ??
    container?.querySelector('[data-row] input[type=text]')
  return field?.closest<HTMLElement>('[data-row]')?.dataset.row
}
