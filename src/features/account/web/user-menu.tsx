import { useLocation } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useId, useRef } from 'react'
import { Avatar } from '#platform/ui/avatar.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { later } from '#platform/ui/later.ts'
import { useMenuButton } from '#platform/ui/menu-button.ts'
import { Spinner } from '#platform/ui/spinner.tsx'
import type { User } from '../account.ts'
import { useSignOut } from './sign-out.tsx'

interface UserMenuProps {
  user: User
  /** Called with the focus on the menu's button, where it is to be again afterwards. */
  onShowShortcuts(): void
}

/** As wide as what it stands in. */
export function UserMenu({ user, onShowShortcuts }: UserMenuProps) {
  const { signOut, signingOut, question } = useSignOut(user)
  const atSettings = useLocation({ select: ({ pathname }) => pathname === '/settings' })
  const { Menu, menu, button: ofMenu } = useMenuButton(useItems)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const name = user.name.trim() || 'User'

  return (
    <div className="relative">
      <button
        ref={button}
        id={id}
        type="button"
        {...ofMenu}
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
        <Menu {...menu} user={user} button={button} onShowShortcuts={onShowShortcuts} signOut={signOut} />
      )}
      {question}
    </div>
  )
}

const useItems = later(async () => (await import('./user-menu-items.tsx')).UserMenuItems, 'soon')
