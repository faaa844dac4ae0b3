import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import type { AccountSyncParts } from '../account/account-sync.ts'
import { syncOf } from '../account/account-syncs.ts'
import type { Cleared } from './failed-write-toasts.tsx'
import { SyncContext } from './sync-context.ts'
import { useFailedWrites } from './use-failed-writes.ts'
import { useSyncState } from './use-sync-state.ts'

export interface SyncProviderProps {
  account: string
  /** The declared writes: every write that may be queued on this device, from any screen. Pass the same object each time. */
  declared: Pick<AccountSyncParts, 'writes' | 'otherWrites'>
  /** Called when the server no longer accepts requests as this account: read the session again. */
  onSignedOut: () => void
  children: ReactNode
}

/** Sends the account's queued writes while mounted. Needs a QueryClientProvider around it. */
export function SyncProvider({ account, declared, onSignedOut, children }: SyncProviderProps) {
  const queryClient = useQueryClient()
  const sync = useMemo(() => syncOf(account, declared, queryClient), [account, declared, queryClient])
  const signedOut = useEffectEvent(onSignedOut)
  const [cleared, setCleared] = useState<Cleared>()
  const [outdated, setOutdated] = useState(false)

  useEffect(() => {
    const wakeWhenVisible = () => document.visibilityState === 'visible' && sync.wake()
    sync.start({
      onSignedOut: () => signedOut(),
      onWiped: () => location.reload(),
      onCleared: (unsent) => setCleared({ unsent }),
      // A visible page is not reloaded, because someone may be typing there; a toast asks instead.
      onOutdated: () => (document.visibilityState === 'hidden' ? location.reload() : setOutdated(true)),
    })
    window.addEventListener('online', sync.connectionChanged)
    window.addEventListener('offline', sync.connectionChanged)
    window.addEventListener('pagehide', sync.leavePage)
    document.addEventListener('visibilitychange', wakeWhenVisible)
    return () => {
      window.removeEventListener('online', sync.connectionChanged)
      window.removeEventListener('offline', sync.connectionChanged)
      window.removeEventListener('pagehide', sync.leavePage)
      document.removeEventListener('visibilitychange', wakeWhenVisible)
      sync.stop()
    }
  }, [sync])

  return (
    <SyncContext value={sync}>
      <FailedWrites cleared={cleared} outdated={outdated} />
      {children}
    </SyncContext>
  )
}

/** Renders the toasts about failed writes. Their code is fetched once there is something to tell, or after the first screen. */
function FailedWrites(told: { cleared: Cleared | undefined; outdated: boolean }) {
  const { durable } = useSyncState()
  const failed = useFailedWrites()
  const Toasts = usePart(
    LazyFailedWriteToasts,
    failed.length > 0 || !durable || told.cleared !== undefined || told.outdated,
  )
  return Toasts && <Toasts {...told} />
}

const LazyFailedWriteToasts = lazyPart(
  () => import('./failed-write-toasts.tsx'),
  'FailedWriteToasts',
  'after the screen',
)
