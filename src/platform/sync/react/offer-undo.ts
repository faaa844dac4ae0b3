import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { RowRef } from '../local-store/queued-write.ts'
import type { ChangeNotice } from '../undo/change-history.ts'
import { useSync } from './sync-context.ts'

interface Offer extends Omit<ChangeNotice, 'title' | 'toastId'> {
  row: RowRef
}

/**
 * Shows a toast that says what the person has just done and offers to undo it. The undo covers all writes of this turn of the
 * event loop. If one of them is refused, the failed write's toast replaces the offer.
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

/** Whether an undo or redo was requested and waits for the code that performs it. */
export function useUndoRequested(): boolean {
  const { changes } = useSync()
  return useSyncExternalStore(changes.subscribe, () => changes.hasRequests)
}

/**
 * Calls back just before rows change through an action outside of them, such as Undo, so that a screen can let these rows move.
 * `ids`: the ids of those rows.
 */
export function useBeforeRowsChange(callback: (ids: readonly string[]) => void): void {
  const { changes } = useSync()
  const before = useEffectEvent(callback)
  useEffect(() => changes.beforeRowsChange((ids) => before(ids)), [changes])
}

/** Removes the offer to undo: the row's change failed, so there is nothing to undo. */
export function withdrawUndo(row: RowRef): void {
  toast.dismiss(toastIdOf(row))
}

/** The id of the toast that offers to undo a change of this row. */
export function toastIdOf({ list, subject }: RowRef): string {
  return `undo-${list}-${subject}`
}
