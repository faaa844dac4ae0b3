import { CatchBoundary, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { UserMenu } from '#features/account/profile/web/user-menu.tsx'
import type { User } from '#features/account/session/user.ts'
import { type Session, ShownUserContext, useSession } from '#features/account/session/web/session.ts'
import { useShortcut } from '#platform/browser/keyboard/shortcuts.ts'
import { useOnceCalm } from '#platform/browser/keyboard/use-once-calm.ts'
import { useUndoRequested } from '#platform/sync/react/offer-undo.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { FailedScreen } from '../errors/failed-screen.tsx'
import { SessionUnknown } from '../errors/session-unknown.tsx'
import { Shell } from '../frame/shell.tsx'
import { showShortcuts } from '../shortcuts/shell-shortcuts.ts'
import { useUndoKeys } from '../undo/use-undo-keys.ts'
import { SignedInProviders } from './signed-in-providers.tsx'
import { useReadAhead } from './use-read-ahead.ts'

/** The pages for signed-in users; everyone else is redirected to /sign-in. */
export function SignedIn() {
  const session = useShownSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'unknown') return <SessionUnknown />
  if (session.status === 'signed-out') return <Navigate to="/sign-in" replace />
  return (
    <SignedInProviders user={session.user}>
      <ShownUserContext value={session.user}>
        <Screens user={session.user} />
      </ShownUserContext>
    </SignedInProviders>
  )
}

/**
 * The session to show. A person who was signed out elsewhere can finish the sentence they are typing; the text is kept on
 * this device.
 */
function useShownSession(): Session {
  const session = useSession()
  const [last, setLast] = useState<User>()
  if (session.status === 'signed-in' && session.user !== last) setLast(session.user)
  const mayLeave = useOnceCalm(session.status === 'signed-out', longestSentence)
  return session.status === 'signed-out' && last && !mayLeave ? { status: 'signed-in', user: last } : session
}

/** Milliseconds that the sign-in page waits for somebody who is still typing. */
const longestSentence = 10_000

function Screens({ user }: { user: User }) {
  useReadAhead()
  useUndoKeys()
  const [showing, setShowing] = useState(false)
  const GoKeys = usePart(LazyGoKeys, false)
  const KeepPreferences = usePart(LazyKeepPreferences, false)
  const TypingGuard = usePart(LazyTypingGuard, false)
  const LostDrafts = usePart(LazyLostDrafts, false)
  const UndoHandler = usePart(LazyUndoHandler, useUndoRequested())
  const ShortcutsDialog = usePart(LazyShortcutsDialog, showing)
  const show = () => setShowing(true)
  useShortcut(showShortcuts, show)
  return (
    <>
      <Shell userMenu={<UserMenu user={user} onShowShortcuts={show} />}>
        <Screen />
      </Shell>
      {GoKeys && <GoKeys />}
      {KeepPreferences && <KeepPreferences />}
      {TypingGuard && <TypingGuard />}
      {LostDrafts && <LostDrafts />}
      {UndoHandler && <UndoHandler />}
      {ShortcutsDialog && <ShortcutsDialog open={showing} onClose={() => setShowing(false)} />}
    </>
  )
}

/** A failing screen does not affect the frame around it. */
function Screen() {
  const screen = useRouterState({ select: ({ matches }) => matches.at(-1) })
  return (
    <CatchBoundary getResetKey={() => screen} errorComponent={FailedScreen}>
      <Outlet />
    </CatchBoundary>
  )
}

const LazyGoKeys = lazyPart(() => import('../shortcuts/go-keys.tsx'), 'GoKeys', 'with the screen')
const LazyKeepPreferences = lazyPart(
  () => import('./keep-preferences.tsx'),
  'KeepPreferences',
  'with the screen',
)
const LazyTypingGuard = lazyPart(() => import('./typing-guard.ts'), 'TypingGuard', 'with the screen')
const LazyLostDrafts = lazyPart(() => import('./lost-drafts.tsx'), 'LostDrafts', 'after the screen')
const LazyUndoHandler = lazyPart(() => import('../undo/undo-handler.tsx'), 'UndoHandler', 'after the screen')
const LazyShortcutsDialog = lazyPart(
  () => import('../shortcuts/shortcuts-dialog.tsx'),
  'ShortcutsDialog',
  'after the screen',
)
