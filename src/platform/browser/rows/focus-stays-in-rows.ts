import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { movingByItself } from '../keyboard/typing-state.ts'
import { rowElement, rowIdsIn } from './row-elements.ts'

/**
 * Moves the focus when the focused row disappears because of a change elsewhere, such as on another device. The focus goes to the
 * row that takes its place. (Before a change by the person, `moveFocusFromRows` does that.) `rows`: any value that is different
 * once other rows have arrived.
 */
export function useFocusStaysInRows(container: RefObject<HTMLElement | null>, rows: unknown): void {
  const focused = useRef<{ row: HTMLElement; place: number }>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the arrival of other rows that it waits for
  useLayoutEffect(() => {
    const { row, place } = focused.current ?? {}
    if (!row || place === undefined) return
    const ids = rowIdsIn(container.current)
    if (row.isConnected) {
      focused.current = { row, place: placeOf(row, ids) }
      return
    }
    focused.current = undefined
    if (document.activeElement !== document.body) return
    const id = ids[Math.min(place, ids.length - 1)]
    const next = rowElement(id, container.current)
    // While React draws, no row can be built.
    if (next || id === undefined) focusRow(next)
    else queueMicrotask(() => focusRow(rowElement(id, container.current)))
  }, [rows])

  useEffect(() => {
    const element = container.current
    if (!element) return
    const events = new AbortController()
    const { signal } = events
    const remember = (target: EventTarget | null) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      focused.current = row ? { row, place: placeOf(row, rowIdsIn(element)) } : undefined
    }
    // A row may already have got the focus before this code loaded.
    if (element.contains(document.activeElement)) remember(document.activeElement)
    element.addEventListener('focusin', ({ target }) => remember(target), { signal })
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        // In a long list, a row that lost the focus to something else may be taken away while it is out of sight.
        if (relatedTarget instanceof Node && !element.contains(relatedTarget)) focused.current = undefined
        if (relatedTarget) return
        // A row that is being removed may lose the focus just before. Only a row that remains was left by the person.
        queueMicrotask(() => {
          if (focused.current?.row.isConnected && document.activeElement === document.body)
            focused.current = undefined
        })
      },
      { signal },
    )
    return () => events.abort()
  }, [container])
}

function focusRow(row: HTMLElement | undefined): void {
  const target =
    row?.querySelector<HTMLElement>('input[type=checkbox]') ?? document.querySelector<HTMLElement>('main h1')
  movingByItself(() => target?.focus({ preventScroll: true }))
}

function placeOf(row: HTMLElement, ids: readonly string[]): number {
  return ids.indexOf(row.dataset.row ?? '')
}
