import { useId, useState } from 'react'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { Button } from '#platform/ui/controls/button.tsx'
import { Checkbox } from '#platform/ui/controls/checkbox.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
} from '#platform/ui/overlays/dialog.tsx'
import type { ExportedAccount } from '../exported-account.ts'
import { amountsOf, formatCounts } from './format-counts.ts'

interface ImportDialogProps {
  open: boolean
  /** The file's content. It stays while the dialog closes. */
  exported: ExportedAccount | undefined
  takePreferences: boolean
  onImport(preferencesToo: boolean): void
  onClose(): void
  /** Called when the dialog has left the screen, and the focus needs a place. */
  onClosed(): void
}

/** Shows what is in a file and asks whether to import it. */
export function ImportDialog({ open, exported, onClose, onClosed, ...question }: ImportDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
      >
        {exported && <Question exported={exported} {...question} />}
      </DialogContent>
    </Dialog>
  )
}

type QuestionProps = Pick<ImportDialogProps, 'takePreferences' | 'onImport'> & { exported: ExportedAccount }

function Question({ exported, takePreferences, onImport }: QuestionProps) {
  const [preferencesToo, setPreferencesToo] = useState(takePreferences)
  const preferencesBox = useId()
  const { timeZone } = useUserCalendar()
  const { account, exported_at } = exported
  const content = formatCounts(amountsOf(exported)) ?? 'An empty account'
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(
    Date.parse(exported_at),
  )
  return (
    <>
      <DialogTitle>Import this file?</DialogTitle>
      <DialogDescription className="text-ink">
        {content}, exported on {day}
      </DialogDescription>
      <p className="mt-1 text-control text-ink-2 wrap-anywhere">
        From {account.name}'s account ({account.email})
      </p>
      <p className="mt-4 text-control text-ink-2">
        Your existing data won't change. Items you deleted come back if they're in the file.
      </p>
      <div className="mt-4 flex items-start gap-3 text-control">
        <Checkbox
          id={preferencesBox}
          aria-describedby={`${preferencesBox}-hint`}
          checked={preferencesToo}
          onChange={({ currentTarget }) => setPreferencesToo(currentTarget.checked)}
        />
        <div className="min-w-0">
          <label htmlFor={preferencesBox} className="cursor-pointer">
            Also import preferences
          </label>
          <p id={`${preferencesBox}-hint`} className="text-ink-3 text-small">
            Time zone, day start, week start and theme
          </p>
        </div>
      </div>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button onClick={() => onImport(preferencesToo)}>Import</Button>
      </DialogFooter>
    </>
  )
}
