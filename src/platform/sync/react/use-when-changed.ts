import { useEffect, useEffectEvent } from 'react'
import { useSync } from './sync-context.ts'

/**
 * For account data that is not a collection: calls `read` when the server announces a change, on whatever device, to anything
 * with one of these wire names.
 */
export function useWhenChanged(names: readonly string[], read: () => void): void {
  const { live } = useSync()
  const follow = useEffectEvent((changed: readonly string[] | undefined) => {
    if (!changed || changed.some((name) => names.includes(name))) read()
  })
  useEffect(() => live?.listen((changed) => follow(changed)), [live])
}
