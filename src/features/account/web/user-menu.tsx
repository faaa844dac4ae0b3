import { Link, useLocation } from '@tanstack/react-router'
import { ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { Avatar } from '#platform/ui/avatar.tsx'
import { cn } from '#platform/ui/class-names.ts'
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
import { Spinner } from '#platform/ui/spinner.tsx'
import { useStoredChoice } from '#platform/ui/stored-choice.ts'
import { type Theme, themeChoice, useChooseTheme } from '#platform/ui/theme.ts'
import type { User } from '../account.ts'
import { useSignOut } from './sign-out.tsx'

const themes = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies { value: Theme; label: string; icon: unknown }[]

/** As wide as what it stands in. */
export function UserMenu({ user }: { user: User }) {
  const { signOut, signingOut, question } = useSignOut(user)
  const atSettings = useLocation({ select: ({ pathname }) => pathname === '/settings' })
  const name = user.name.trim() || 'User'
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger
          className={cn(
            'flex h-11 w-full min-w-0 items-center gap-2 rounded-control px-[7px] text-left text-control font-medium text-ink transition-colors hover:bg-hover data-[state=open]:bg-hover',
            atSettings && 'bg-chosen shadow-[0_0_0_1px_var(--chosen-line)]',
          )}
        >
          <Avatar name={user.name} image={user.image} />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="sr-only">, account menu</span>
          {signingOut ? (
            <Spinner className="text-ink-3" />
          ) : (
            <ChevronsUpDown className="mr-1 shrink-0 text-ink-3" />
          )}
        </DropdownMenuTrigger>
        <DropdownMenuContent
          side="top"
          align="start"
          className="w-(--radix-dropdown-menu-trigger-width)"
          onCloseAutoFocus={(event) => {
            // Whoever went to another page has its heading in focus already.
            if (document.querySelector('main')?.contains(document.activeElement)) event.preventDefault()
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
