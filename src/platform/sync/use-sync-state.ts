import { useSyncExternalStore } from 'react'
import type { SyncState } from './account-sync.ts'
import { useSync } from './sync-context.ts'

/** For a quiet sign of how things stand; never says that all is saved while something waits. */
export function useSyncState(): SyncState {
  const sync = useSync()
  return useSyncExternalStore(sync.subscribe, () => sync.state)
}
