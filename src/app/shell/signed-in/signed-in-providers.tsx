import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { User } from '#features/account/session/user.ts'
import { useRereadSession, userOf, useSignInSession } from '#features/account/session/web/session.ts'
import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import { FocusTimerProvider } from '#features/focus/running/focus-timer-provider.tsx'
import { PreferencesProvider } from '#features/preferences/web/preferences-provider.tsx'
import { usePreferences } from '#features/preferences/web/use-preferences.ts'
import { LatePushPermissionNote } from '#features/reminders/devices/web/late-push-permission-note.tsx'
import { ReminderQuestion, RemindersProvider } from '#features/reminders/devices/web/reminders-provider.tsx'
import { deviceClock } from '#platform/browser/clock/device-clock.ts'
import { type ScreenServices, ScreenServicesContext } from '#platform/browser/screen-services.ts'
import { syncOf } from '#platform/sync/account/account-syncs.ts'
import { staleWhenClockIsSet } from '#platform/sync/network/stale-when-clock-set.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { SyncProvider } from '#platform/sync/react/sync-provider.tsx'
import { useWhenChanged } from '#platform/sync/react/use-when-changed.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { firstWrites, writesOfScreens } from './first-writes.ts'

const declared = {
  writes: Object.values(firstWrites).flat(),
  otherWrites: () => import('./other-writes.ts').then(({ otherWrites }) => otherWrites),
}

/** Milliseconds to wait for the first rows. After that, the screen is drawn with what is known. */
const longestWait = 1_000

/**
 * Resolves once the rows of the page's first screen can be drawn, from the device or the server, so that they come with the first
 * paint. `reads` are the collections that the screen reads first.
 */
export function whenFirstRowsAreKnown(queryClient: QueryClient, reads: readonly string[]): Promise<unknown> {
  const known = async () => {
    const user = await userOf(queryClient)
    if (!user) return
    const sync = syncOf(user.id, declared, queryClient)
    const learn = async (name: string) => {
      for (const write of (await writesOfScreens[name]?.()) ?? []) sync.declared.learn(write)
    }
    await Promise.all(reads.map(learn))
    await sync.firstRows(['preferences', ...reads])
  }
  return Promise.race([known(), new Promise((resolve) => setTimeout(resolve, longestWait))])
}

/** Everything that runs for a signed-in user, whichever page they are on. */
export function SignedInProviders({ user, children }: { user: User; children: ReactNode }) {
  const rereadSession = useRereadSession()
  const signIn = useSignInSession()
  const queryClient = useQueryClient()
  useEffect(() => staleWhenClockIsSet(queryClient, deviceClock), [queryClient])
  const inside = (
    <>
      <FollowAccount />
      <Timer>{children}</Timer>
    </>
  )
  const OfflineApp = usePart(LazyOfflineApp, false)
  return (
    <SyncProvider key={user.id} account={user.id} declared={declared} onSignedOut={rereadSession}>
      {OfflineApp && <OfflineApp />}
      <PreferencesProvider>
        <RemindersProvider signIn={signIn}>
          {(onReminderSet) => <Services onReminderSet={onReminderSet}>{inside}</Services>}
        </RemindersProvider>
      </PreferencesProvider>
    </SyncProvider>
  )
}

const LazyOfflineApp = lazyPart(() => import('../offline/offline-app.ts'), 'OfflineApp', 'after the screen')

/** Rereads the session when the account changes, since name and picture can change on another device. */
function FollowAccount() {
  const rereadSession = useRereadSession()
  useWhenChanged(accountAlone, () => void rereadSession())
  return null
}

const accountAlone = ['account']

interface ServicesProps extends Pick<ScreenServices, 'onReminderSet'> {
  children: ReactNode
}

function Services({ onReminderSet, children }: ServicesProps) {
  const sync = useSync()
  const services = useMemo<ScreenServices>(
    () => ({
      makeList: async (name) =>
        (await import('#features/lists/list/web/make-list.ts')).listToMake(name, sync),
      onReminderSet,
      pushPermissionNote: <LatePushPermissionNote />,
      reminderQuestion: <ReminderQuestion />,
    }),
    [sync, onReminderSet],
  )
  return <ScreenServicesContext value={services}>{children}</ScreenServicesContext>
}

function Timer({ children }: { children: ReactNode }) {
  const { status, preferences } = usePreferences()
  return (
    <FocusTimerProvider calendarKnown={status !== 'loading'} plan={preferences?.focus_plan ?? defaultPlan}>
      {children}
    </FocusTimerProvider>
  )
}
