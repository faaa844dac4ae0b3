import { useEffect, useEffectEvent } from 'react'
import { useSync } from './sync-context.ts'

/**
 * For what is shown of an account and is no list: `read` is called when the server says that something was changed, on
 * whatever device, whose name on the wire is among these.
 */
export function useWhenChanged(names: readonly string[], read: () => void): void {
  const { live } = useSync()
  const follow = useEffectEvent((changed: readonly string[] | undefined) => {
    if (!changed || changed.some((name) => names.includes(name))) read()
  })
  useEffect(() => live?.listen((changed) => follow(changed)), [live])
}
