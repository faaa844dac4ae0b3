import { integerFormat } from '#platform/format/format-number.ts'
import { counted } from '#platform/format/words.ts'
import type { Unsaved } from '#platform/sync/account/sign-out.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
} from '#platform/ui/overlays/dialog.tsx'

interface UnsentQuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The changes and typed text that would be lost. */
  unsaved: Unsaved
  signOutAnyway: () => void
}

export function UnsentQuestion({ open, onOpenChange, unsaved, signOutAnyway }: UnsentQuestionProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent role="alertdialog">
        <DialogTitle>Sign out without saving?</DialogTitle>
        <DialogDescription>{lossOf(unsaved)}</DialogDescription>
        <DialogFooter>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            Stay signed in
          </Button>
          <Button variant="danger" onClick={signOutAnyway}>
            Sign out anyway
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function lossOf({ unsent, typed }: Unsaved): string {
  const changes = `${counted(unsent, 'change')} made on this device ${unsent === 1 ? "hasn't" : "haven't"} been sent yet`
  const texts = typed === 1 ? 'one field' : `${integerFormat.format(typed)} fields`
  if (typed === 0) return `${changes}. If you sign out now, ${unsent === 1 ? 'it' : 'they'} will be lost.`
  if (unsent === 0) return `What you typed in ${texts} isn't saved yet. If you sign out now, it will be lost.`
  return `${changes}, and what you typed in ${texts} isn't saved. If you sign out now, all of it will be lost.`
}
