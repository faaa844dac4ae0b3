import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { formatWaiting } from './format-sync-status.ts'

/** Says on the page for a failed screen that the person's changes are not lost. */
export function WhatWaits() {
  const state = useSyncState()
  return state.waiting > 0 && `${formatWaiting(state)}.`
}
