import { useSyncExternalStore } from 'react'
import type { SyncState } from '../account/account-sync.ts'
import { useSync } from './sync-context.ts'

/** The account's sync state, for an unobtrusive status that never says everything is saved while something waits. */
export function useSyncState(): SyncState {
  const sync = useSync()
  return useSyncExternalStore(sync.subscribe, () => sync.state)
}
