import { useEffect, useEffectEvent } from 'react'
import { useSync } from './sync-context.ts'

/**
 * Calls `read` when the server announces a change, on whatever device, to data with one of these names on the wire. For account
 * data that is not a collection.
 */
export function useWhenChanged(names: readonly string[], read: () => void): void {
  const { live } = useSync()
  const follow = useEffectEvent((changed: readonly string[] | undefined) => {
    if (!changed || changed.some((name) => names.includes(name))) read()
  })
  useEffect(() => live?.listen((changed) => follow(changed)), [live])
}
