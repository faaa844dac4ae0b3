import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { DropdownMenu, DropdownMenuTrigger } from './dropdown-menu.tsx'

export interface FetchedMenuProps {
  open: boolean
  /** Opened by a key, which leads to the first item. */
  byKey: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * A menu that is fetched after its button is on the screen (`useMenuButton`), so that the button is not the menu's own: it is
 * laid over whatever positioned box both stand in.
 */
export function FetchedMenu({
  open,
  byKey,
  onOpenChange,
  children,
}: FetchedMenuProps & { children: ReactNode }) {
  const [listening, setListening] = useState(false)
  const tellOfKey = useEffectEvent(() => {
    if (byKey) document.dispatchEvent(new KeyboardEvent('keydown'))
  })
  // Radix listens for keys from here on, but the one that had this fetched has passed.
  useEffect(() => {
    tellOfKey()
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
