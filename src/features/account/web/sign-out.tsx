import { type ReactNode, useState } from 'react'
import { drain, waiting } from '#platform/sync/leave.ts'
import { Button } from '#platform/ui/button.tsx'
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from '#platform/ui/dialog.tsx'
import { toast } from '#platform/ui/toast.ts'
import type { User } from '../account.ts'
import { signOut as askServerToSignOut } from './auth-calls.ts'
import { forgetOnThisDevice } from './forget-on-this-device.ts'
import { useRereadSession } from './session.ts'

interface SignOut {
  signOut(): void
  signingOut: boolean
  /** Render it: it asks what to do when changes on this device could not be sent. */
  question: ReactNode
}

export function useSignOut(user: User): SignOut {
  const rereadSession = useRereadSession()
  const [signingOut, setSigningOut] = useState(false)
  const [unsent, setUnsent] = useState(0)
  const [asking, setAsking] = useState(false)

  const leave = async () => {
    setAsking(false)
    setSigningOut(true)
    const answer = await askServerToSignOut()
    if (!answer.ok && answer.failure?.code !== 'UNAUTHORIZED') {
      console.warn('Sign-out failed', answer.failure)
      toast.error('Failed to sign out', {
        description: answer.failure?.message ?? 'The server cannot be reached.',
      })
      return setSigningOut(false)
    }
    await forgetOnThisDevice(user)
    await rereadSession()
    setSigningOut(false)
  }

  const sendThenLeave = async () => {
    setSigningOut(true)
    const sent = await drain(user.id).catch((surprise) => {
      console.warn('What is on this device could not be sent', surprise)
      return false
    })
    if (sent) return leave()
    setUnsent(await waiting(user.id))
    setAsking(true)
    setSigningOut(false)
  }

  return {
    signOut: () => {
      if (!signingOut) void sendThenLeave()
    },
    signingOut,
    question: (
      <Dialog open={asking} onOpenChange={setAsking}>
        <DialogContent role="alertdialog">
          <DialogTitle>Sign out without saving?</DialogTitle>
          <DialogDescription>
            {unsent === 1 ? '1 change' : `${unsent} changes`} made on this device could not be sent yet.
            Signing out now loses {unsent === 1 ? 'it' : 'them'}.
          </DialogDescription>
          <DialogFooter>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Stay signed in
            </Button>
            <Button variant="danger" onClick={() => void leave()}>
              Sign out anyway
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    ),
  }
}
