import { useId, useState } from 'react'
import { formatCounts } from '#features/your-data/format-counts.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Card } from '#platform/ui/layout/card.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
  DialogTrigger,
} from '#platform/ui/overlays/dialog.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { Import } from '../writing/import.ts'
import { importCollection, undoImport } from '../writing/web/import-queries.ts'
import { formatKept, formatPastImport, isUndoable, sourceName } from './format-past-import.ts'

/** The imports of the account. Each can be undone for a limited time. */
export function PastImportsCard() {
  const { rows: imports, status, retry } = useCollection(importCollection)
  if (status === 'failed') {
    return (
      <Card title="Past imports" subtitle="They couldn't be loaded">
        <Button variant="secondary" className="mt-4" onClick={() => void retry()}>
          Try again
        </Button>
      </Card>
    )
  }
  if (!imports || imports.length === 0) return null
  return (
    <Card title="Past imports">
      <ul aria-label="Past imports" className="mt-5 -mb-3 [list-style-type:'']">
        {imports.map((past) => (
          <PastImport key={past.id} past={past} />
        ))}
      </ul>
    </Card>
  )
}

function PastImport({ past }: { past: Import }) {
  const { timeZone, dayStart } = useUserCalendar()
  const today = useToday()
  const id = useId()
  const [readAt] = useState(Date.now)
  return (
    <li
      data-row={past.id}
      tabIndex={-1}
      className="flex min-h-14 items-center gap-4 py-2.5 shadow-[inset_0_1px_0_var(--line)] outline-none focus-visible:rounded-control focus-visible:outline-2 focus-visible:outline-accent"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium text-control">{sourceName(past)}</p>
        <p id={id} className="text-ink-3 text-small wrap-anywhere">
          {formatPastImport(past, { timeZone, dayStart, today })}
        </p>
      </div>
      {isUndoable(past, readAt) && <Undo past={past} describedBy={id} />}
    </li>
  )
}

/** Asks before undoing an import, because the person may no longer have the file. */
function Undo({ past, describedBy }: { past: Import; describedBy: string }) {
  const sync = useSync()
  const [open, setOpen] = useState(false)
  const [undoing, setUndoing] = useState(false)

  const undo = async () => {
    setUndoing(true)
    const result = await undoImport({ account: sync.account, reread: () => sync.reread() }, past.id)
    setUndoing(false)
    setOpen(false)
    if ('problem' in result) {
      toast.error('Failed to undo the import', { description: result.problem })
      return
    }
    const kept = formatKept(result.undone)
    toast.success(
      'Import undone',
      kept === undefined ? {} : { description: `Kept: ${kept}, changed after the import.` },
    )
  }

  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button
          variant="secondary"
          className="min-h-8 px-3 py-1 pointer-coarse:min-h-11"
          aria-label={`Undo the import from ${sourceName(past)}`}
          aria-describedby={describedBy}
        >
          Undo
        </Button>
      </DialogTrigger>
      <DialogContent role="alertdialog">
        <DialogTitle>Undo this import?</DialogTitle>
        <DialogDescription>
          {formatCounts(past.added) ?? 'Nothing'} will be deleted. Whatever you've changed since the import
          stays.
        </DialogDescription>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button variant="destroy" busy={undoing} onClick={() => void undo()}>
            Undo Import
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
