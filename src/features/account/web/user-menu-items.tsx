import { Link } from '@tanstack/react-router'
import { Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#platform/ui/dropdown-menu.tsx'
import { singleKeysChoice } from '#platform/ui/single-keys.ts'
import { useStoredChoice } from '#platform/ui/stored-choice.ts'
import { type Theme, themeChoice, useChooseTheme } from '#platform/ui/theme.ts'
import type { User } from '../account.ts'

const themes = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies { value: Theme; label: string; icon: unknown }[]

interface UserMenuItemsProps {
  user: User
  open: boolean
  /** Opened by a key, which leads to the first item. */
  byKey: boolean
  onOpenChange: (open: boolean) => void
  /** The button that opens it, over which this is laid. */
  button: RefObject<HTMLButtonElement | null>
  signOut: () => void
}

/** What the user menu opens. Its button is on the screen before this is fetched, so it is not the menu's own. */
export function UserMenuItems({ user, open, byKey, onOpenChange, button, signOut }: UserMenuItemsProps) {
  const leftByPointer = useRef(false)
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
      <DropdownMenuContent
        side="top"
        align="start"
        aria-labelledby={button.current?.id}
        className="w-(--radix-dropdown-menu-trigger-width)"
        onInteractOutside={() => {
          leftByPointer.current = true
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // Whoever went to another page has its heading in focus already.
          const gone = document.querySelector('main')?.contains(document.activeElement)
          if (!gone && !leftByPointer.current) button.current?.focus()
          leftByPointer.current = false
        }}
      >
        <p className="truncate px-3 pt-2 pb-1 text-small text-ink-3">{user.email}</p>
        <DropdownMenuItem asChild>
          <Link to="/settings">
            <Settings />
            Settings
          </Link>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <ThemeItems />
        <DropdownMenuSeparator />
        <SingleKeysItem />
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={signOut}>
          <LogOut />
          Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function ThemeItems() {
  const chosen = useStoredChoice(themeChoice)
  const chooseTheme = useChooseTheme()
  return (
    <DropdownMenuRadioGroup value={chosen} aria-label="Theme">
      <DropdownMenuLabel>Theme</DropdownMenuLabel>
      {themes.map(({ value, label, icon: Icon }) => (
        <DropdownMenuRadioItem
          key={value}
          value={value}
          onSelect={(event) => {
            // The menu stays, so that the choice is seen and can be changed again.
            event.preventDefault()
            chooseTheme(value)
          }}
        >
          <Icon />
          {label}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  )
}

function SingleKeysItem() {
  const chosen = useStoredChoice(singleKeysChoice)
  return (
    <DropdownMenuCheckboxItem
      checked={chosen === 'on'}
      onSelect={(event) => event.preventDefault()}
      onCheckedChange={(checked) => singleKeysChoice.write(checked ? 'on' : 'off')}
    >
      <Keyboard />
      Single-key shortcuts
    </DropdownMenuCheckboxItem>
  )
}
