import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { ChangeOfDeviceValue, DeviceValue } from '../collections/device-value.ts'
import { useSync } from './sync-context.ts'

/** Resolves once the value is stored. Rejects if it could not be stored: then nothing has changed. */
export type ChangeDeviceValue<Value, Row> = (step: ChangeOfDeviceValue<Value, Row>) => Promise<void>

/** A device value, the same in every tab; undefined until the local store has been read. */
export function useDeviceValue<Value, Row>(
  deviceValue: DeviceValue<Value, Row>,
): { value: Value | undefined; change: ChangeDeviceValue<Value, Row> } {
  const sync = useSync()
  const subscribe = useCallback((listener: () => void) => sync.deviceValues.subscribe(listener), [sync])
  // As text, the value stays identical until it changes, while every re-read creates new objects.
  const stored = useSyncExternalStore(subscribe, () => JSON.stringify(sync.deviceValues.get(deviceValue)))
  const value = useMemo(
    () => (stored === undefined ? undefined : deviceValue.parse(JSON.parse(stored))),
    [deviceValue, stored],
  )
  const change: ChangeDeviceValue<Value, Row> = useCallback(
    (step) => sync.change(deviceValue, step),
    [sync, deviceValue],
  )
  return { value, change }
}
