import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import { inDigits } from '#platform/ui/number-words.ts'
import { toast } from '#platform/ui/toast.ts'
import type { AccountSync } from './account-sync.ts'
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
      onCleared: tellOfCleared,
      onOutdated: loadAnew,
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
      <Notices />
      {children}
    </SyncContext>
  )
}

/** Without storage, what was not sent goes with the tab: the browser asks before it does. */
function useAskBeforeLosing(sync: AccountSync) {
  const wouldLose = useSyncExternalStore(sync.subscribe, () => !sync.state.durable && sync.state.waiting > 0)
  useEffect(() => {
    if (!wouldLose) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [wouldLose])
}

function tellOfCleared(unsent: number) {
  if (unsent === 0) return
  toast.warning("This browser's storage was cleared", {
    duration: Number.POSITIVE_INFINITY,
    description:
      unsent === 1
        ? '1 unsent change was deleted with it, but this tab still had a copy and restored it.'
        : `${inDigits.format(unsent)} unsent changes were deleted with it, but this tab still had copies and restored them.`,
  })
}

/** Not under the hands of someone who may be writing: they are asked. */
function loadAnew() {
  if (document.visibilityState === 'hidden') return location.reload()
  toast('Daymark was updated in another tab', {
    description: 'Reload this tab before you make more changes.',
    duration: Number.POSITIVE_INFINITY,
    action: { label: 'Reload', onClick: () => location.reload() },
  })
}
