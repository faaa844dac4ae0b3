import { type CSSProperties, type RefObject, useCallback, useRef, useState } from 'react'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { RowMenuRequest } from '../row/row-actions.ts'

/** One menu for all rows, placed at the pressed button: a thousand menus would cost more than the rows themselves. */
export function useRowMenu(board: RefObject<HTMLElement | null>) {
  const [of, setOf] = useState<RowMenuRequest>()
  const [place, setPlace] = useState<CSSProperties>()
  const [isOpen, setIsOpen] = useState(false)
  const openButton = useRef<HTMLElement>(undefined)
  const Menu = usePart(LazyRowMenu, isOpen)

  const change = useCallback((open: boolean) => {
    setIsOpen(open)
    // Set the attribute directly, so that no row renders again. A checkbox that the menu opens at does not expand.
    if (openButton.current?.ariaHasPopup) openButton.current.ariaExpanded = String(open)
    if (!open) openButton.current = undefined
  }, [])
  const open = useCallback(
    (request: RowMenuRequest) => {
      // A second press on the same button closes the menu.
      if (openButton.current === request.button && !request.at) return change(false)
      change(false)
      openButton.current = request.button
      change(true)
      const box = request.at
        ? new DOMRect(request.at.x, request.at.y)
        : request.button.getBoundingClientRect()
      const origin = board.current?.getBoundingClientRect()
      // Measure from the right edge: the buttons keep their distance to that edge when the window becomes narrower.
      const [right, top] = [(origin?.right ?? 0) - box.right, box.top - (origin?.top ?? 0)]
      setPlace({ right, top, width: box.width, height: box.height })
      setOf(request)
    },
    [board, change],
  )

  return { Menu, open, of, place, menu: { open: isOpen, byKey: of?.byKey ?? false, onOpenChange: change } }
}

const LazyRowMenu = lazyPart(() => import('./row-menu.tsx'), 'RowMenu', 'with the screen')
