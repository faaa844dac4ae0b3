import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { toast } from '#platform/ui/toast.ts'
import { Notices } from './notices.tsx'
import { SyncContext } from './sync-context.ts'
import { syncOf } from './syncs.ts'
import type { AnyWrite } from './write.ts'

export interface SyncProviderProps {
  account: string
  /** Every declared write that may be waiting on this device, whatever screen it is from. Constant. */
  writes: readonly AnyWrite[]
  /** The server does not take requests as this account any more: read the session again. */
  onSignedOut: () => void
  children: ReactNode
}

/** Sends the account's queued writes while it is mounted. Stands within a QueryClientProvider. */
export function SyncProvider({ account, writes, onSignedOut, children }: SyncProviderProps) {
  const queryClient = useQueryClient()
  const sync = useMemo(() => syncOf(account, writes, queryClient), [account, writes, queryClient])
  const signedOut = useEffectEvent(onSignedOut)

  useEffect(() => {
    const wakeWhenVisible = () => document.visibilityState === 'visible' && sync.wake()
    sync.start({
      onSignedOut: () => signedOut(),
      onWiped: () => location.reload(),
      onOutdated: loadAnew,
    })
    window.addEventListener('online', sync.connectionChanged)
    window.addEventListener('offline', sync.connectionChanged)
    document.addEventListener('visibilitychange', wakeWhenVisible)
    return () => {
      window.removeEventListener('online', sync.connectionChanged)
      window.removeEventListener('offline', sync.connectionChanged)
      document.removeEventListener('visibilitychange', wakeWhenVisible)
      sync.stop()
    }
  }, [sync])

  return (
    <SyncContext value={sync}>
      <Notices />
      {children}
    </SyncContext>
  )
}

/** Not under the hands of someone who may be writing: they are asked. */
function loadAnew() {
  if (document.visibilityState === 'hidden') return location.reload()
  toast('Daymark was updated in another tab', {
    description: 'Changes made here are not kept until it is loaded again.',
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Load again', onClick: () => location.reload() },
  })
}
