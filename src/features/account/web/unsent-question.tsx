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
          {unsent === 1
            ? "1 change made on this device hasn't been sent yet. If you sign out now, it will be lost."
            : `${unsent} changes made on this device haven't been sent yet. If you sign out now, they will be lost.`}
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
