import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { RowRef } from '../local-store/queued-write.ts'
import type { ChangeNotice } from '../undo/change-history.ts'
import { useSync } from './sync-context.ts'

interface Offer extends Omit<ChangeNotice, 'title' | 'toastId'> {
  row: RowRef
}

/**
 * Says what the person has just done and offers to undo it: all writes of this very turn of the event loop. If one of them is
 * refused, the failed write replaces the offer.
 */
export type OfferUndo = (title: string, offer: Offer) => void

export function useOfferUndo(): OfferUndo {
  const { changes } = useSync()
  return useCallback(
    (title, { row, ...offer }) => {
      const toastId = toastIdOf(row)
      const change = changes.describeChange({ title, toastId, ...offer })
      if (!change) return
      const action = { label: 'Undo', onClick: () => changes.request({ direction: 'undo', change }) }
      toast(title, { id: toastId, description: offer.description, action })
    },
    [changes],
  )
}

/** Whether a change waits for the part that undoes it. */
export function useUndoRequested(): boolean {
  const { changes } = useSync()
  return useSyncExternalStore(changes.subscribe, () => changes.hasRequests)
}

/**
 * Calls back with the ids of rows that are about to change by what was done elsewhere than in them, such as by Undo, so that a screen
 * can let them move.
 */
export function useBeforeRowsChange(callback: (ids: readonly string[]) => void): void {
  const { changes } = useSync()
  const before = useEffectEvent(callback)
  useEffect(() => changes.beforeRowsChange((ids) => before(ids)), [changes])
}

/** The row is back, so there is nothing to undo any more. */
export function withdrawUndo(row: RowRef): void {
  toast.dismiss(toastIdOf(row))
}

function toastIdOf({ list, subject }: RowRef): string {
  return `undo-${list}-${subject}`
}
