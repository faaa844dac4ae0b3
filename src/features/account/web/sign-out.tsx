import { type ReactNode, useState } from 'react'
import { drain, stopReading, waiting } from '#platform/sync/leave.ts'
import { later } from '#platform/ui/later.ts'
import { toast } from '#platform/ui/toast.ts'
import type { User } from '../account.ts'
import { signOut as askServerToSignOut } from './auth-calls.ts'
import { forgetOnThisDevice } from './forget-on-this-device.ts'
import { signOutLater } from './pending-sign-out.ts'
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
  const UnsentQuestion = useUnsentQuestion(asking)

  const leave = async () => {
    setAsking(false)
    setSigningOut(true)
    const readAgain = stopReading(user.id)
    const answer = await askServerToSignOut()
    const refused = !answer.ok && answer.failure?.code !== 'UNAUTHORIZED' ? answer : undefined
    // Without an answer it is left all the same, and the server is told once it can be.
    if (refused && (refused.failure || !signOutLater())) {
      readAgain()
      console.warn('Sign-out failed', refused.failure)
      toast.error('Failed to sign out', {
        description: refused.failure?.message ?? "The server can't be reached.",
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
    question: UnsentQuestion && (
      <UnsentQuestion
        open={asking}
        onOpenChange={setAsking}
        unsent={unsent}
        signOutAnyway={() => void leave()}
      />
    ),
  }
}

const useUnsentQuestion = later(async () => (await import('./unsent-question.tsx')).UnsentQuestion, 'soon')
