import { useSyncExternalStore } from 'react'
import type { SyncState } from '../account/account-sync.ts'
import { useSync } from './sync-context.ts'

/** For an unobtrusive sync status. It never says that everything is saved while something waits. */
export function useSyncState(): SyncState {
  const sync = useSync()
  return useSyncExternalStore(sync.subscribe, () => sync.state)
}
