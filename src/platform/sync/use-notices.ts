import { useCallback, useSyncExternalStore } from 'react'
import type { Notice } from './entry.ts'
import { useSync } from './sync-context.ts'

/** What could not be made and is not settled by the person yet. */
export function useNotices(): readonly Notice[] {
  const { outbox } = useSync()
  const subscribe = useCallback((listener: () => void) => outbox.subscribe(listener), [outbox])
  return useSyncExternalStore(subscribe, () => outbox.notices)
}
