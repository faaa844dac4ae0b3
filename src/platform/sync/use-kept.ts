import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Kept, TakeKeptStep } from './kept.ts'
import { useSync } from './sync-context.ts'

/** Resolves once the device has it. Rejects when it could not be kept: then nothing has changed. */
export type ChangeKept<Value, Row> = (step: TakeKeptStep<Value, Row>) => Promise<void>

/** What this device keeps, in every tab the same; undefined until the device was read. */
export function useKept<Value, Row>(
  kept: Kept<Value, Row>,
): { value: Value | undefined; change: ChangeKept<Value, Row> } {
  const sync = useSync()
  const subscribe = useCallback((listener: () => void) => sync.kept.subscribe(listener), [sync])
  // As text it is the same until it changes: what the device reads again is made of new objects.
  const stored = useSyncExternalStore(subscribe, () => JSON.stringify(sync.kept.of(kept.name)))
  const value = useMemo(
    () => (stored === undefined ? undefined : kept.parse(JSON.parse(stored))),
    [kept, stored],
  )
  const change: ChangeKept<Value, Row> = useCallback((step) => sync.change(kept, step), [sync, kept])
  return { value, change }
}
