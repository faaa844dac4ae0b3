import { Button } from '#platform/ui/button.tsx'
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from '#platform/ui/dialog.tsx'

interface UnsentQuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** How many changes would be lost. */
  unsent: number
  signOutAnyway: () => void
}

export function UnsentQuestion({ open, onOpenChange, unsent, signOutAnyway }: UnsentQuestionProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent role="alertdialog">
        <DialogTitle>Sign out without saving?</DialogTitle>
        <DialogDescription>
          {unsent === 1 ? '1 change' : `${unsent} changes`} made on this device could not be sent yet. Signing
          out now loses {unsent === 1 ? 'it' : 'them'}.
        </DialogDescription>
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
