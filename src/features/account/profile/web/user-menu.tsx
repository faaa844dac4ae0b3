import { useLocation } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { User } from '#features/account/session/user.ts'
import { cn } from '#platform/ui/class-names.ts'
import { lazyPart } from '#platform/ui/lazy-part.tsx'
import { useMenuButton } from '#platform/ui/overlays/menu-button.ts'
import { Avatar } from '#platform/ui/signs/avatar.tsx'
import { Spinner } from '#platform/ui/signs/spinner.tsx'

interface UserMenuProps {
  user: User
  /** Called while the menu's button has the focus, so that the dialog later returns the focus to that button. */
  onShowShortcuts(): void
}

/** The user menu with its button, as wide as its container. */
export function UserMenu({ user, onShowShortcuts }: UserMenuProps) {
  const [signingOut, setSigningOut] = useState(false)
  const atSettings = useLocation({ select: ({ pathname }) => pathname === '/settings' })
  const { Menu, menu, button: buttonProps } = useMenuButton(LazyUserMenuItems)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const name = user.name.trim() || 'User'

  return (
    <div className="relative">
      <button
        ref={button}
        id={id}
        type="button"
        {...buttonProps}
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
      </button>
      {Menu && (
        <Menu
          {...menu}
          user={user}
          button={button}
          onShowShortcuts={onShowShortcuts}
          onSigningOut={setSigningOut}
        />
      )}
    </div>
  )
}

const LazyUserMenuItems = lazyPart(() => import('./user-menu-items.tsx'), 'UserMenuItems', 'with the screen')
