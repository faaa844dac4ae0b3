import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { formatWaiting } from './format-sync-status.ts'

/** Says, where a screen is missing, that what the person did is not. */
export function WhatWaits() {
  const state = useSyncState()
  return state.waiting > 0 && `${formatWaiting(state)}.`
}
