import { Navigate, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#features/account/user.ts'
import { useSession } from '#features/account/web/session.ts'
import { UserMenu } from '#features/account/web/user-menu.tsx'
import { useShortcut } from '#platform/browser/shortcuts.ts'
import { useUndoRequested } from '#platform/sync/react/offer-undo.ts'
import { LoadingScreen } from '#platform/ui/layout/spinner.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { SessionUnknown } from './session-unknown.tsx'
import { Shell } from './shell.tsx'
import { showShortcuts } from './shell-shortcuts.ts'
import { SignedInProviders } from './signed-in-providers.tsx'
import { useReadAhead } from './use-read-ahead.ts'
import { useUndoKeys } from './use-undo-keys.ts'

/** The pages for signed-in users; everyone else is redirected to /sign-in. */
export function SignedIn() {
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unknown') return <SessionUnknown />
  if (session.status === 'signed-out') return <Navigate to="/sign-in" replace />
  return (
    <SignedInProviders user={session.user}>
      <Screens user={session.user} />
    </SignedInProviders>
  )
}

function Screens({ user }: { user: User }) {
  useReadAhead()
  useUndoKeys()
  const [showing, setShowing] = useState(false)
  const GoKeys = usePart(LazyGoKeys, false)
  const KeepPreferences = usePart(LazyKeepPreferences, false)
  const UndoHandler = usePart(LazyUndoHandler, useUndoRequested())
  const ShortcutsDialog = usePart(LazyShortcutsDialog, showing)
  const show = () => setShowing(true)
  useShortcut(showShortcuts, show)
  return (
    <>
      <Shell userMenu={<UserMenu user={user} onShowShortcuts={show} />}>
        <Outlet />
      </Shell>
      {GoKeys && <GoKeys />}
      {KeepPreferences && <KeepPreferences />}
      {UndoHandler && <UndoHandler />}
      {ShortcutsDialog && <ShortcutsDialog open={showing} onClose={() => setShowing(false)} />}
    </>
  )
}

const LazyGoKeys = lazyPart(() => import('./go-keys.tsx'), 'GoKeys', 'with the screen')
const LazyKeepPreferences = lazyPart(
  () => import('./keep-preferences.tsx'),
  'KeepPreferences',
  'with the screen',
)
const LazyUndoHandler = lazyPart(() => import('./undo-handler.tsx'), 'UndoHandler', 'after the screen')
const LazyShortcutsDialog = lazyPart(
  () => import('./shortcuts-dialog.tsx'),
  'ShortcutsDialog',
  'after the screen',
)
