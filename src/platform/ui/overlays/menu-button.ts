import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { type LazyPart, usePart } from '../lazy-part.tsx'

/**
 * For a button that is on the screen before its menu is fetched. If the button is pressed earlier, the menu opens once it has
 * loaded. The menu itself has to be a `FetchedMenu`.
 */
export function useMenuButton<Props>(lazyMenu: LazyPart<Props>) {
  const [open, setOpen] = useState(false)
  const [byKey, setByKey] = useState(false)
  const Menu = usePart(lazyMenu, open)
  return {
    Menu,
    menu: { open, byKey, onOpenChange: setOpen },
    button: {
      'aria-haspopup': 'menu',
      'aria-expanded': open,
      'data-state': open ? 'open' : 'closed',
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0 || event.ctrlKey) return
        // Prevent the press from focusing the button: the menu gets the focus.
        if (!open) event.preventDefault()
        setByKey(false)
        // While the menu is loading, a second press does not cancel its opening.
        setOpen(!Menu || !open)
      },
      onKeyDown(event: KeyboardEvent) {
        if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
        event.preventDefault()
        setByKey(true)
        setOpen(!Menu || event.key === 'ArrowDown' || !open)
      },
    },
  } as const
}
