import { useState } from 'react'
import { Button } from '#platform/ui/controls/button.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
} from '#platform/ui/overlays/dialog.tsx'
import { formatPushPermission } from './format-push-permission.ts'
import type { PushPermission } from './push-permission.ts'

interface AllowDialogProps {
  open: boolean
  permission: PushPermission
  onAllow(): Promise<void>
  /** The answer is no. */
  onDecline(): void
  /** There is no answer: the person postponed the question, or has read what prevents reminders. */
  onClose(): void
}

/** Explains what the browser is about to ask, or why it cannot be asked. */
export function AllowDialog({ open, permission, onAllow, onDecline, onClose }: AllowDialogProps) {
  const [allowing, setAllowing] = useState(false)
  const askable = permission === 'undecided' || permission === 'allowed'

  const allow = async () => {
    setAllowing(true)
    await onAllow()
    setAllowing(false)
  }

  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent
        onCloseAutoFocus={(event) => {
          // It opened over another dialog, which is closed by now.
          event.preventDefault()
          document.querySelector<HTMLElement>('main h1')?.focus()
        }}
      >
        <DialogTitle>{askable ? 'Get reminders on this device?' : 'No reminders on this device'}</DialogTitle>
        <DialogDescription className="text-pretty">
          {askable
            ? 'Your reminder is saved. To get it here even when Daymark is closed, allow notifications when your browser asks.'
            : `Your reminder is saved. ${formatPushPermission[permission]}`}
        </DialogDescription>
        <DialogFooter>
          {askable ? (
            <>
              <Button variant="secondary" onClick={onDecline}>
                Not now
              </Button>
              <Button busy={allowing} onClick={() => void allow()}>
                Allow reminders
              </Button>
            </>
          ) : (
            <Button variant="secondary" onClick={onClose}>
              Close
            </Button>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
