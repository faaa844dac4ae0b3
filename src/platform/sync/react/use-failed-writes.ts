import { useSyncExternalStore } from 'react'
import type { FailedWrite } from '../local-store/queued-write.ts'
import { useSync } from './sync-context.ts'

/** The failed writes that the person has not dealt with yet. Empty until all declared writes, needed to retry, are fetched. */
export function useFailedWrites(): readonly FailedWrite[] {
  const { outbox, declared, subscribe } = useSync()
  return useSyncExternalStore(subscribe, () => (declared.areAllKnown ? outbox.failedWrites : none))
}

const none: readonly FailedWrite[] = []
