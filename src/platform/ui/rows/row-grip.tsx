import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import type { BaseEventPayload, ElementDragType } from '@atlaskit/pragmatic-drag-and-drop/types'
import { GripVertical } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isPressed, type Shortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { moveShown } from '#platform/order/move-shown.ts'
import type { Placed } from '#platform/order/position.ts'
import { announce } from '../layout/announcer.tsx'
import { dragByTouch } from './drag-by-touch.ts'
import { daySectionAt, dropPlace, previewOf } from './drop-place.ts'

type DragLocation = BaseEventPayload<ElementDragType>['location']['current']

interface RowGripProps {
  board: RefObject<HTMLElement | null>
  /** The list element, which is sorted by the person's own order; undefined where rows are grouped by day. */
  list: RefObject<HTMLUListElement | null> | undefined
  /** The rows in the order shown. */
  shown: readonly Placed[]
  /** Every row on this device: the list may show only a part of the whole order. */
  allRows(): readonly Placed[]
  nameOf(id: string): string
  /** The kind of row, which decides where it may be dropped. */
  kind: string
  /** The keys that move a row up or down. */
  keys: Shortcut
  onMove(id: string, to: readonly Placed[]): void
  /** How a row moves to another day, where each group of rows is a day. */
  days?:
    | {
        keys: Shortcut
        moveTo(id: string, day: Day): void
        /** Moves the row to the next day (1) or the previous one (-1). */
        moveBy(id: string, step: 1 | -1): void
      }
    | undefined
}

/**
 * Lets people reorder the rows of `list`: by the grip beside a row, by touch after a long press, or by keys. The grip also drags
 * a row onto a list in the sidebar. Where rows are grouped by day, they move to other days in the same ways. A single
 * grip serves all rows: it moves to the row under the pointer or with the focus, so a thousand rows cost no more than one.
 */
export function RowGrip(props: RowGripProps) {
  const { board: boardRef, list, days, shown, allRows, nameOf, kind, keys, onMove } = props
  const grip = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLDivElement>(null)
  const cover = useRef<HTMLDivElement>(null)
  const gripped = useRef<HTMLElement>(undefined)
  const placesFor = (id: string, to: number) =>
    moveShown(
      allRows(),
      shown.map((row) => row.id),
      { id, to },
    )
  const placeOf = (row: HTMLElement | null) => shown.findIndex(({ id }) => id === row?.dataset.row)
  const placeShown = useEffectEvent((row: HTMLElement) => placeOf(row))
  const move = useEffectEvent((row: HTMLElement, place: number) => {
    const id = shown[placeOf(row)]?.id
    if (id !== undefined) onMove(id, placesFor(id, place))
  })
  const moveToDay = useEffectEvent((row: HTMLElement, day: Day) => {
    const id = shown[placeOf(row)]?.id
    if (id !== undefined) days?.moveTo(id, day)
  })
  /** The row with the focus, unless its title is being edited: there the keys move the cursor. */
  const rowOf = ({ target }: KeyboardEvent) =>
    target instanceof HTMLElement && !target.matches('input[type=text]')
      ? target.closest<HTMLElement>('[data-row]')
      : null
  const moveByDay = useEffectEvent((event: KeyboardEvent) => {
    if (!days || !isPressed(days.keys, event)) return
    const id = shown[placeOf(rowOf(event))]?.id
    if (id === undefined) return
    event.preventDefault()
    days.moveBy(id, event.key === 'ArrowUp' ? -1 : 1)
  })
  const moveByKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isPressed(keys, event)) return
    const row = rowOf(event)
    const place = placeOf(row)
    const id = shown[place]?.id
    if (id === undefined) return
    event.preventDefault()
    const to = Math.min(Math.max(place + (event.key === 'ArrowUp' ? -1 : 1), 0), shown.length - 1)
    onMove(id, placesFor(id, to))
    announce(`${nameOf(id)}, ${integerFormat.format(to + 1)} of ${integerFormat.format(shown.length)}`)
    requestAnimationFrame(() => row?.scrollIntoView({ block: 'nearest' }))
  })

  const showGrip = useEffectEvent((row: HTMLElement | undefined) => {
    // `offsetTop` is the row's final place, even during an animation. Read it before any change, which would force a second
    // layout.
    const middle = row && row.offsetTop + row.offsetHeight / 2
    if (gripped.current !== row) delete gripped.current?.dataset.gripped
    gripped.current = row
    if (row) row.dataset.gripped = ''
    if (!grip.current) return
    grip.current.hidden = row === undefined
    // Moves by `translate`, since changing `top` would lay out the rows again.
    if (middle !== undefined) grip.current.style.translate = `0 calc(${middle}px - 50%)`
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that move take the grip with them
  useLayoutEffect(() => {
    showGrip(gripped.current?.isConnected ? gripped.current : undefined)
  }, [shown])

  const byDay = days !== undefined
  useEffect(() => {
    const board = boardRef.current
    const rows = list?.current ?? undefined
    const screen = board?.closest('main')
    const [handle, edge, above] = [grip.current, line.current, cover.current]
    if (!board || !screen || !handle || !edge || !above) return

    let dragged: HTMLElement | undefined
    const begin = (row: HTMLElement) => {
      dragged = row
      row.dataset.dragged = ''
    }
    let overDay: HTMLElement | undefined
    const over = (height: number | undefined) => {
      const section = byDay && dragged && height !== undefined ? daySectionAt(board, height) : undefined
      if (overDay !== section) {
        delete overDay?.dataset.over
        overDay = section
        if (section) section.dataset.over = ''
      }
      const to =
        rows && dragged && height !== undefined ? dropPlace(dragged, height, placeShown).edge : undefined
      edge.hidden = to === undefined
      if (to !== undefined) edge.style.translate = `0 ${to - board.getBoundingClientRect().top}px`
    }
    const end = () => {
      over(undefined)
      delete dragged?.dataset.dragged
      dragged = undefined
      above.hidden = true
    }
    const drop = (row: HTMLElement, height: number) => {
      // The row may have been deleted elsewhere meanwhile. Measure before any change, which would force a second layout.
      if (rows && row.parentElement === rows) move(row, dropPlace(row, height, placeShown).place)
      const section = byDay && row.isConnected ? daySectionAt(board, height) : undefined
      end()
      const to = daySchema.safeParse(section?.querySelector<HTMLElement>('[data-day]')?.dataset.day).data
      if (to) moveToDay(row, to)
    }

    const rowAt = (target: EventTarget | null) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      return row && (rows ?? board).contains(row) ? row : undefined
    }
    let hovered: HTMLElement | undefined
    const look = () => {
      if (!dragged) showGrip(hovered ?? rowAt(board.querySelector(':focus-visible')))
    }
    const hover = ({ target, pointerType }: PointerEvent) => {
      if (dragged || pointerType === 'touch') return
      // The grip counts as part of its row.
      hovered = target instanceof Node && handle.contains(target) ? gripped.current : rowAt(target)
      look()
    }
    const events = new AbortController()
    const { signal } = events
    board.addEventListener('pointerover', hover, { signal })
    board.addEventListener(
      'pointerleave',
      () => {
        hovered = undefined
        look()
      },
      { signal },
    )
    board.addEventListener('focusin', look, { signal })
    rows?.addEventListener('keydown', (event) => moveByKey(event), { signal })
    if (byDay) board.addEventListener('keydown', (event) => moveByDay(event), { signal })
    board.addEventListener('focusout', look, { signal })

    const isHere = ({ dropTargets }: DragLocation) => dropTargets.some(({ element }) => element === screen)
    const byMouse = combine(
      draggable({
        element: handle,
        getInitialData: () => ({ kind, id: gripped.current?.dataset.row }),
        onGenerateDragPreview({ nativeSetDragImage, location }) {
          const row = gripped.current
          if (!row) return
          // Set before the drag starts: the pointer now leaves the page, which must not hide the dragged grip.
          dragged = row
          const { clientX, clientY } = location.current.input
          const { left, top } = row.getBoundingClientRect()
          setCustomNativeDragPreview({
            nativeSetDragImage,
            getOffset: () => ({ x: clientX - left, y: clientY - top }),
            render: ({ container }) => void container.append(previewOf(row)),
          })
        },
        onDragStart() {
          if (!dragged) return
          begin(dragged)
          above.hidden = false
        },
        onDrag: ({ location: { current } }) => over(isHere(current) ? current.input.clientY : undefined),
        onDrop({ location: { current } }) {
          if (dragged && isHere(current)) drop(dragged, current.input.clientY)
          else end()
          look()
        },
      }),
      // The whole page is the drop target, since the grip is beside the list.
      dropTargetForElements({ element: screen, canDrop: ({ source }) => source.element === handle }),
    )
    const ordered = byDay ? board : rows
    const byTouch = ordered ? dragByTouch(ordered, board, { begin, over, drop, cancel: end }) : () => {}
    // Rows above may turn out higher than they were thought to be.
    const heights = new ResizeObserver(() => {
      if (!dragged && gripped.current?.isConnected) showGrip(gripped.current)
    })
    heights.observe(board)
    return () => {
      end()
      heights.disconnect()
      events.abort()
      byMouse()
      byTouch()
    }
  }, [boardRef, list, kind, byDay])

  return (
    <>
      <div
        ref={grip}
        hidden
        aria-hidden="true"
        className="-left-8 absolute top-0 grid h-8 w-5 cursor-grab place-items-center text-ink-3 hover:text-ink max-md:hidden pointer-coarse:hidden"
      >
        <GripVertical size={16} />
      </div>
      <div
        ref={line}
        hidden
        aria-hidden="true"
        className="-inset-x-3 -mt-px pointer-events-none absolute top-0 z-10 h-0.5 rounded-full bg-accent"
      />
      {/* Covers the rows during a drag. Without it, each move would make the browser search a thousand rows for the one
          below the pointer. */}
      <div ref={cover} hidden className="-inset-x-8 absolute inset-y-0 z-10" />
    </>
  )
}
