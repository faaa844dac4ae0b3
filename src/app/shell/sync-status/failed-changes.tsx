import { useEffect } from 'react'
import { copyText } from '#platform/browser/device/copy-text.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import { discard as discardHeld, retryOf } from '#platform/sync/account/retry.ts'
import type { FailedWrite } from '#platform/sync/local-store/queued-write.ts'
import { attempt, titleOfFailed } from '#platform/sync/react/failed-write-toasts.tsx'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useFailedWrites } from '#platform/sync/react/use-failed-writes.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '#platform/ui/overlays/dialog.tsx'

interface FailedChangesProps {
  open: boolean
  onClose(): void
}

/** The changes that were not saved, each with its text, until the person has handled all of them. */
export function FailedChanges({ open, onClose }: FailedChangesProps) {
  const failedWrites = useFailedWrites()
  const sync = useSync()
  const nothingLeft = open && failedWrites.length === 0
  // Close explicitly: otherwise the dialog would open by itself for the next failed write.
  useEffect(() => {
    if (nothingLeft) onClose()
  }, [nothingLeft, onClose])
  return (
    <Dialog open={open && failedWrites.length > 0} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent>
        <DialogTitle>Changes not saved</DialogTitle>
        <DialogDescription>What you typed is kept on this device until you discard it.</DialogDescription>
        <ul className="mt-4 divide-y divide-line">
          {failedWrites.map((failedWrite) => (
            <FailedChange key={failedWrite.id} failedWrite={failedWrite} sync={sync} />
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  )
}

function FailedChange({ failedWrite, sync }: { failedWrite: FailedWrite; sync: AccountSync }) {
  const { texts, reason, held } = failedWrite
  const retry = retryOf(sync, failedWrite)
  const discard = () => attempt(held ? discardHeld(sync, held) : sync.outbox.dismiss(failedWrite))
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <p className="text-control font-medium text-ink">{titleOfFailed(failedWrite)}</p>
      {texts.map((text) => (
        <p key={text} dir="auto" className="mt-1 text-control whitespace-pre-line wrap-anywhere text-ink">
          {text}
        </p>
      ))}
      <p className="mt-1 text-control text-ink-2">{reason}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {retry && (
          <Button variant="secondary" onClick={() => attempt(retry.run(instantToWire(Date.now())))}>
            {retry.label}
          </Button>
        )}
        <Button variant="secondary" onClick={() => copyText(texts.join('\n'))}>
          Copy
        </Button>
        <Button variant="quiet" onClick={discard}>
          Discard
        </Button>
      </div>
    </li>
  )
}
