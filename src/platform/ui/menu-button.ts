import { type KeyboardEvent, type PointerEvent, useState } from 'react'

/**
 * For a button that is on the screen before its menu is fetched: pressed before that, the menu opens once it is there.
 * `useMenu` is what `later` returns; the menu itself is a `FetchedMenu`.
 */
export function useMenuButton<Menu>(useMenu: (wanted: boolean) => Menu | undefined) {
  const [open, setOpen] = useState(false)
  const [byKey, setByKey] = useState(false)
  const Menu = useMenu(open)
  return {
    Menu,
    menu: { open, byKey, onOpenChange: setOpen },
    button: {
      'aria-haspopup': 'menu',
      'aria-expanded': open,
      'data-state': open ? 'open' : 'closed',
      onPointerDown(event: PointerEvent) {
        if (event.button !== 0 || event.ctrlKey) return
        // The menu takes the focus.
        if (!open) event.preventDefault()
        setByKey(false)
        // Pressed again while it is on its way, it is still wanted.
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
