import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { toast } from '#platform/ui/overlays/toast.ts'
import type { AccountSync } from '../account/account-sync.ts'
import { syncOf } from '../account/account-syncs.ts'
import type { AnyWrite } from '../collections/write.ts'
import type { Cleared } from './failed-write-toasts.tsx'
import { SyncContext } from './sync-context.ts'
import { useFailedWrites } from './use-failed-writes.ts'
import { useSyncState } from './use-sync-state.ts'

export interface SyncProviderProps {
  account: string
  /** Every declared write that may be queued on this device, from any screen. Must not change. */
  writes: readonly AnyWrite[]
  /** The server no longer accepts requests as this account: read the session again. */
  onSignedOut: () => void
  children: ReactNode
}

/** Sends the account's queued writes while it is mounted. Needs a QueryClientProvider around it. */
export function SyncProvider({ account, writes, onSignedOut, children }: SyncProviderProps) {
  const queryClient = useQueryClient()
  const sync = useMemo(() => syncOf(account, writes, queryClient), [account, writes, queryClient])
  const signedOut = useEffectEvent(onSignedOut)
  const [cleared, setCleared] = useState<Cleared>()

  useEffect(() => {
    const wakeWhenVisible = () => document.visibilityState === 'visible' && sync.wake()
    sync.start({
      onSignedOut: () => signedOut(),
      onWiped: () => location.reload(),
      onCleared: (unsent) => setCleared({ unsent }),
      onOutdated: offerReload,
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
  useAskBeforeLosing(sync)

  return (
    <SyncContext value={sync}>
      <FailedWrites cleared={cleared} />
      {children}
    </SyncContext>
  )
}

/** The toasts about them are fetched once there is something to tell, or after the screen. */
function FailedWrites({ cleared }: { cleared: Cleared | undefined }) {
  const { durable } = useSyncState()
  const failed = useFailedWrites()
  const Toasts = usePart(LazyFailedWriteToasts, failed.length > 0 || !durable || cleared !== undefined)
  return Toasts && <Toasts cleared={cleared} />
}

const LazyFailedWriteToasts = lazyPart(
  () => import('./failed-write-toasts.tsx'),
  'FailedWriteToasts',
  'after the screen',
)

/** Without storage, unsent writes are lost with the tab, so the browser asks before closing it. */
function useAskBeforeLosing(sync: AccountSync) {
  const wouldLose = useSyncExternalStore(sync.subscribe, () => !sync.state.durable && sync.state.waiting > 0)
  useEffect(() => {
    if (!wouldLose) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [wouldLose])
}

/** Does not reload under someone who may be typing: it asks them. */
function offerReload() {
  if (document.visibilityState === 'hidden') return location.reload()
  toast('Daymark was updated in another tab', {
    description: 'Reload this tab before you make more changes.',
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}
