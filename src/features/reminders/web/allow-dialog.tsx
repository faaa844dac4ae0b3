import { useState } from 'react'
import { Button } from '#platform/ui/button.tsx'
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from '#platform/ui/dialog.tsx'
import { reachInWords } from './reach-in-words.ts'
import type { Reach } from './this-browser.ts'

interface AllowDialogProps {
  open: boolean
  reach: Reach
  onAllow(): Promise<void>
  /** Answers no. */
  onDecline(): void
  /** Answers nothing: puts the question aside, or has read what stands in the way. */
  onClose(): void
}

/** Explains what the browser is about to ask, or why it cannot be asked. */
export function AllowDialog({ open, reach, onAllow, onDecline, onClose }: AllowDialogProps) {
  const [allowing, setAllowing] = useState(false)
  const askable = reach === 'undecided' || reach === 'allowed'

  const allow = async () => {
    setAllowing(true)
    await onAllow()
    setAllowing(false)
  }

  return (
    <Dialog open={open} onOpenChange={(stays) => stays || onClose()}>
      <DialogContent
        onCloseAutoFocus={(event) => {
          // It came up over another dialog, which is closed by now.
          event.preventDefault()
          document.querySelector<HTMLElement>('main h1')?.focus()
        }}
      >
        <DialogTitle>{askable ? 'Get reminders on this device?' : 'No reminders on this device'}</DialogTitle>
        <DialogDescription className="text-pretty">
          {askable
            ? 'Your reminder is saved. To get it here even when Daymark is closed, allow notifications when your browser asks.'
            : `Your reminder is saved. ${reachInWords[reach]}`}
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
