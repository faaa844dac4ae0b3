import { toast } from '#platform/ui/overlays/toast.ts'
import type { RowRef } from '../outbox/queued-write.ts'

interface Offer {
  row: RowRef
  /** What was deleted. */
  description: string
  undo(): void
}

/** Shows that a row was deleted and offers to undo that. If the deletion is refused, the failed write replaces the offer. */
export function offerUndo(title: string, { row, description, undo }: Offer): void {
  toast(title, { id: toastIdOf(row), description, action: { label: 'Undo', onClick: undo } })
}

/** The row is back, so there is nothing to undo any more. */
export function withdrawUndo(row: RowRef): void {
  toast.dismiss(toastIdOf(row))
}

function toastIdOf({ list, subject }: RowRef): string {
  return `undo-${list}-${subject}`
}
