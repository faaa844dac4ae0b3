import { useCallback, useSyncExternalStore } from 'react'
import type { FailedWrite } from '../outbox/queued-write.ts'
import { useSync } from './sync-context.ts'

/** The failed writes that the person has not dealt with yet. */
export function useFailedWrites(): readonly FailedWrite[] {
  const { outbox } = useSync()
  const subscribe = useCallback((listener: () => void) => outbox.subscribe(listener), [outbox])
  return useSyncExternalStore(subscribe, () => outbox.failedWrites)
}
