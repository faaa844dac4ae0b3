import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { DropdownMenu, DropdownMenuTrigger } from './dropdown-menu.tsx'

export interface FetchedMenuProps {
  open: boolean
  /** Whether a key opened the menu; the focus then moves to the first item. */
  byKey: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * A menu that is fetched after its button is on the screen (`useMenuButton`). Since the button is not the menu's own
 * trigger, an invisible trigger covers the positioned box that contains both.
 */
export function FetchedMenu({
  open,
  byKey,
  onOpenChange,
  children,
}: FetchedMenuProps & { children: ReactNode }) {
  const [listening, setListening] = useState(false)
  const replayKey = useEffectEvent(() => {
    if (byKey) document.dispatchEvent(new KeyboardEvent('keydown'))
  })
  // Radix listens for keys only from now on, so replay the key that caused the fetch.
  useEffect(() => {
    replayKey()
    setListening(true)
  }, [])

  return (
    <DropdownMenu open={open && listening} onOpenChange={onOpenChange}>
      <DropdownMenuTrigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </DropdownMenuTrigger>
      {children}
    </DropdownMenu>
  )
}
