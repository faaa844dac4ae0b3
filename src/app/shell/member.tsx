import type { ReactNode } from 'react'
import type { User } from '#features/account/account.ts'
import { useRereadSession, useSignInSession } from '#features/account/web/session.ts'
import { focusWrites } from '#features/focus/web/focus-queries.ts'
import { FocusTimerProvider } from '#features/focus/web/focus-timer-provider.tsx'
import { habitWrites } from '#features/habits/web/habit-queries.ts'
import { PreferencesProvider } from '#features/preferences/web/preferences-provider.tsx'
import { preferencesWrites } from '#features/preferences/web/preferences-queries.ts'
import { usePreferences } from '#features/preferences/web/use-preferences.ts'
import { RemindersProvider } from '#features/reminders/web/reminders-provider.tsx'
import { todoWrites } from '#features/todos/web/todo-queries.ts'
import { SyncProvider } from '#platform/sync/sync-provider.tsx'
import { useWhenChanged } from '#platform/sync/use-when-changed.ts'
import { later } from '#platform/ui/later.ts'

const writes = [...todoWrites, ...habitWrites, ...focusWrites, ...preferencesWrites]

/** All that goes on for someone who is signed in, whichever page they look at. */
export function Member({ user, children }: { user: User; children: ReactNode }) {
  const rereadSession = useRereadSession()
  const signIn = useSignInSession()
  const AppOnDevice = useAppOnDevice(false)
  return (
    <SyncProvider key={user.id} account={user.id} writes={writes} onSignedOut={rereadSession}>
      {AppOnDevice && <AppOnDevice />}
      <PreferencesProvider>
        <RemindersProvider signIn={signIn}>
          <FollowAccount />
          <Timer>{children}</Timer>
        </RemindersProvider>
      </PreferencesProvider>
    </SyncProvider>
  )
}

const useAppOnDevice = later(async () => (await import('./app-on-device.ts')).AppOnDevice)

/** Name and picture are changed on other devices too. */
function FollowAccount() {
  const rereadSession = useRereadSession()
  useWhenChanged(accountAlone, () => void rereadSession())
  return null
}

const accountAlone = ['account']

function Timer({ children }: { children: ReactNode }) {
  const { status } = usePreferences()
  return <FocusTimerProvider calendarKnown={status !== 'loading'}>{children}</FocusTimerProvider>
}
