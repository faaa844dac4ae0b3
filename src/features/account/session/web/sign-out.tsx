import { type ReactNode, useState } from 'react'
import { pauseReading } from '#platform/sync/account/erase-account.ts'
import { saveBeforeSignOut, type Unsaved } from '#platform/sync/account/sign-out.ts'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { User } from '../user.ts'
import { signOut as askServerToSignOut, reasonOf } from './auth-request.ts'
import { eraseFromThisDevice, forgetBesideData } from './forget-on-this-device.ts'
import { deferSignOut, whileSigningOut } from './pending-sign-out.ts'
import { useForgetSession, useRereadSession } from './session.ts'

interface SignOut {
  signOut(): void
  signingOut: boolean
  /** Render this. It asks what to do if changes on this device could not be sent, or typed text was not saved. */
  question: ReactNode
}

export function useSignOut(user: User): SignOut {
  const rereadSession = useRereadSession()
  const forgetSession = useForgetSession()
  const [signingOut, setSigningOut] = useState(false)
  const [unsaved, setUnsaved] = useState<Unsaved>({ unsent: 0, typed: 0 })
  const [asking, setAsking] = useState(false)
  const UnsentQuestion = usePart(LazyUnsentQuestion, asking)

  const leave = async () => {
    setAsking(false)
    setSigningOut(true)
    try {
      if (await whileSigningOut(user.id, askThenForget)) await rereadSession()
    } finally {
      setSigningOut(false)
    }
  }

  const askThenForget = async (): Promise<boolean> => {
    const resumeReading = pauseReading(user.id)
    const response = await askServerToSignOut()
    const refused = !response.ok && response.failure?.code !== 'UNAUTHORIZED' ? response : undefined
    // Without a response, sign out on this device all the same, and notify the server later.
    if (refused && (refused.failure || !deferSignOut())) {
      resumeReading()
      console.warn('Sign-out failed', refused.failure)
      toast.error('Failed to sign out', { description: reasonOf(refused) })
      return false
    }
    await eraseFromThisDevice(user)
    forgetSession()
    await forgetBesideData(user)
    return true
  }

  const sendThenLeave = async () => {
    setSigningOut(true)
    const left = await saveBeforeSignOut(user.id)
    if (left.unsent === 0 && left.typed === 0) return leave()
    setUnsaved(left)
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
        unsaved={unsaved}
        signOutAnyway={() => void leave()}
      />
    ),
  }
}

const LazyUnsentQuestion = lazyPart(
  () => import('./unsent-question.tsx'),
  'UnsentQuestion',
  'with the screen',
)
