import { toast } from '#platform/ui/toast.ts'
import type { RowName } from './entry.ts'

interface Offer {
  row: RowName
  /** What was deleted. */
  description: string
  undo(): void
}

/** Says that a row was deleted, and offers to take that back. Where the deletion is refused, that is said instead. */
export function offerUndo(title: string, { row, description, undo }: Offer): void {
  toast(title, { id: toastIdOf(row), description, action: { label: 'Undo', onClick: undo } })
}

/** The row is there again: what is told from here on is why. */
export function withdrawUndo(row: RowName): void {
  toast.dismiss(toastIdOf(row))
}

function toastIdOf({ list, subject }: RowName): string {
  return `undo-${list}-${subject}`
}
