import { useEffect } from 'react'
import { useSync } from './sync-context.ts'

/** `finish` makes a write of what only this device knows, before the person signs out. The same function until it changes. */
export function useBeforeLeaving(finish: () => Promise<void>): void {
  const sync = useSync()
  useEffect(() => sync.beforeLeaving(finish), [sync, finish])
}
