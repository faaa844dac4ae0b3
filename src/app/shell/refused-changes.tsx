import { useEffect } from 'react'
import type { AccountSync } from '#platform/sync/account-sync.ts'
import type { Notice } from '#platform/sync/entry.ts'
import { useSync } from '#platform/sync/sync-context.ts'
import { useNotices } from '#platform/sync/use-notices.ts'
import { Button } from '#platform/ui/button.tsx'
import { copyText } from '#platform/ui/copy-text.ts'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '#platform/ui/dialog.tsx'

interface RefusedChangesProps {
  open: boolean
  onClose(): void
}

/** The changes that were not saved, each with what was typed, until the person has settled all of them. */
export function RefusedChanges({ open, onClose }: RefusedChangesProps) {
  const notices = useNotices()
  const sync = useSync()
  const nothingLeft = open && notices.length === 0
  // Else it would open by itself with the next one.
  useEffect(() => {
    if (nothingLeft) onClose()
  }, [nothingLeft, onClose])
  return (
    <Dialog open={open && notices.length > 0} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent>
        <DialogTitle>Changes not saved</DialogTitle>
        <DialogDescription>What you typed is kept on this device until you discard it.</DialogDescription>
        <ul className="mt-4 divide-y divide-line">
          {notices.map((notice) => (
            <RefusedChange key={notice.id} notice={notice} sync={sync} />
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  )
}

function RefusedChange({ notice, sync }: { notice: Notice; sync: AccountSync }) {
  const { title, texts, reason, again, held } = notice
  const discard = () => attempt(held ? sync.discard(held) : sync.outbox.dismiss(notice))
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <p className="text-control font-medium text-ink">{title}</p>
      {texts.map((text) => (
        <p key={text} dir="auto" className="mt-1 text-control whitespace-pre-line wrap-anywhere text-ink">
          {text}
        </p>
      ))}
      <p className="mt-1 text-control text-ink-2">{reason}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {again.length > 0 && (
          <Button variant="secondary" onClick={() => attempt(sync.tryAgain(notice))}>
            Try again
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

function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => console.warn('The device could not be changed', error))
}
