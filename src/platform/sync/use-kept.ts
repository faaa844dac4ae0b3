import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Kept, KeptStep } from './kept.ts'
import { useSync } from './sync-context.ts'

/** Resolves once the device has it. Rejects when it could not be kept: then nothing has changed. */
export type ChangeKept<Value> = <Row, Vars>(
  step: (value: Value) => KeptStep<Value, Row, Vars>,
) => Promise<void>

/** What this device keeps, in every tab the same; undefined until the device was read. */
export function useKept<Value>(kept: Kept<Value>): { value: Value | undefined; change: ChangeKept<Value> } {
  const sync = useSync()
  const subscribe = useCallback((listener: () => void) => sync.kept.subscribe(listener), [sync])
  // As text it is the same until it changes: what the device reads again is made of new objects.
  const stored = useSyncExternalStore(subscribe, () => JSON.stringify(sync.kept.of(kept.name)))
  const value = useMemo(
    () => (stored === undefined ? undefined : kept.parse(JSON.parse(stored))),
    [kept, stored],
  )
  const change: ChangeKept<Value> = useCallback((step) => sync.change(kept, step), [sync, kept])
  return { value, change }
}
