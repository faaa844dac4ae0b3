import { useSyncExternalStore } from 'react'
import type { SyncState } from '../account/account-sync.ts'
import { useSync } from './sync-context.ts'

/** The account's sync state. A screen shows it unobtrusively, and never says that everything is saved while a write waits. */
export function useSyncState(): SyncState {
  const sync = useSync()
  return useSyncExternalStore(sync.subscribe, () => sync.state)
}
