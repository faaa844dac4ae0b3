import { Link } from '@tanstack/react-router'
import { Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { User } from '#features/account/session/user.ts'
import { useSignOut } from '#features/account/session/web/sign-out.tsx'
import { useStoredChoice } from '#platform/browser/device/stored-choice.ts'
import { type Theme, themeChoice, useChooseTheme } from '#platform/browser/device/theme.ts'
import { useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import {
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '#platform/ui/overlays/dropdown-menu.tsx'
import { FetchedMenu, type FetchedMenuProps } from '#platform/ui/overlays/fetched-menu.tsx'

const themes = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies { value: Theme; label: string; icon: unknown }[]

interface UserMenuItemsProps extends FetchedMenuProps {
  user: User
  button: RefObject<HTMLButtonElement | null>
  onShowShortcuts(): void
  onSigningOut(signingOut: boolean): void
}

/** The contents of the user menu. */
export function UserMenuItems({ user, button, onShowShortcuts, onSigningOut, ...menu }: UserMenuItemsProps) {
  const { signOut, signingOut, question } = useSignOut(user)
  useEffect(() => onSigningOut(signingOut), [signingOut, onSigningOut])
  const leftByPointer = useRef(false)
  const leftForShortcuts = useRef(false)

  return (
    <>
      <FetchedMenu {...menu}>
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
            // After navigation, the new page's heading already has the focus.
            const gone = document.querySelector('main')?.contains(document.activeElement)
            if (!gone && !leftByPointer.current) button.current?.focus()
            leftByPointer.current = false
            // Open the shortcuts dialog only now. When the dialog closes, it returns the focus to the element that has the focus
            // at this moment.
            if (leftForShortcuts.current) onShowShortcuts()
            leftForShortcuts.current = false
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
          <DropdownMenuItem
            onSelect={() => {
              leftForShortcuts.current = true
            }}
          >
            <Keyboard />
            Keyboard shortcuts
          </DropdownMenuItem>
          <SingleKeysItem />
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={signOut}>
            <LogOut />
            Sign out
          </DropdownMenuItem>
        </DropdownMenuContent>
      </FetchedMenu>
      {question}
    </>
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
            // Keep the menu open, so that people see the theme and can change it again.
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
  const { on, set: turn } = useSingleKeys()
  return (
    <DropdownMenuCheckboxItem
      checked={on}
      onSelect={(event) => event.preventDefault()}
      onCheckedChange={turn}
    >
      <span aria-hidden="true" className="w-4" />
      Single-key shortcuts
    </DropdownMenuCheckboxItem>
  )
}
