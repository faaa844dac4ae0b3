import { Navigate, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#features/account/account.ts'
import { useSession } from '#features/account/web/session.ts'
import { UserMenu } from '#features/account/web/user-menu.tsx'
import { later } from '#platform/ui/later.ts'
import { useShortcut } from '#platform/ui/shortcuts.ts'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { Member } from './member.tsx'
import { SessionUnknown } from './session-unknown.tsx'
import { Shell } from './shell.tsx'
import { showShortcuts } from './shell-shortcuts.ts'

/** The pages of someone who is signed in; everyone else is sent to /sign-in. */
export function SignedIn() {
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unknown') return <SessionUnknown />
  if (session.status === 'signed-out') return <Navigate to="/sign-in" replace />
  return (
    <Member user={session.user}>
      <Screens user={session.user} />
    </Member>
  )
}

function Screens({ user }: { user: User }) {
  const [showing, setShowing] = useState(false)
  const ShortcutsDialog = useShortcutsDialog(showing)
  const show = () => setShowing(true)
  useShortcut(showShortcuts, show)
  return (
    <>
      <Shell userMenu={<UserMenu user={user} onShowShortcuts={show} />}>
        <Outlet />
      </Shell>
      {ShortcutsDialog && <ShortcutsDialog open={showing} onClose={() => setShowing(false)} />}
    </>
  )
}

const useShortcutsDialog = later(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

// Where a sign-out leads, with or without a connection.
later(() => import('#features/account/web/sign-in-page.tsx'))
