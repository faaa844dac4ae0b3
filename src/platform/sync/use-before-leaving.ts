import { useEffect } from 'react'
import type { Unfinished } from './leaving.ts'
import { useSync } from './sync-context.ts'

/** Registers what has to become a write before the person signs out. The same object, or it is registered anew. */
export function useBeforeLeaving(unfinished: Unfinished): void {
  const sync = useSync()
  useEffect(() => sync.leaving.before(unfinished), [sync, unfinished])
}
