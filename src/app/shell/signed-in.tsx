import { Navigate, Outlet } from '@tanstack/react-router'
import { useRereadSession, useSession } from '#features/account/web/session.ts'
import { UserMenu } from '#features/account/web/user-menu.tsx'
import { focusWrites } from '#features/focus/web/focus-queries.ts'
import { FocusTimerProvider } from '#features/focus/web/focus-timer-provider.tsx'
import { habitWrites } from '#features/habits/web/habit-queries.ts'
import { PreferencesProvider } from '#features/preferences/web/preferences-provider.tsx'
import { preferencesWrites } from '#features/preferences/web/preferences-queries.ts'
import { todoWrites } from '#features/todos/web/todo-queries.ts'
import { SyncProvider } from '#platform/sync/sync-provider.tsx'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { Shell } from './shell.tsx'

const writes = [...todoWrites, ...habitWrites, ...focusWrites, ...preferencesWrites]

/** The pages of someone who is signed in; everyone else is sent to /sign-in. */
export function SignedIn() {
  const session = useSession()
  const rereadSession = useRereadSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-out') return <Navigate to="/sign-in" replace />
  return (
    <SyncProvider key={session.user.id} account={session.user.id} writes={writes} onSignedOut={rereadSession}>
      <PreferencesProvider>
        <FocusTimerProvider>
          <Shell userMenu={<UserMenu user={session.user} />}>
            <Outlet />
          </Shell>
        </FocusTimerProvider>
      </PreferencesProvider>
    </SyncProvider>
  )
}
