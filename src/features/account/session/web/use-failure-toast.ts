import { useCallback } from 'react'
import { toast } from '#platform/ui/toasts/toast.ts'
import { type Failed, reasonOf } from './auth-request.ts'
import { useRereadSession } from './session.ts'

const signedOut = new Set(['NOT_SIGNED_IN', 'SIGNED_IN_AS_SOMEONE_ELSE', 'UNAUTHORIZED'])

/** Returns a function that shows a toast which says what failed, and why. */
export function useFailureToast(): (title: string, failed: Failed) => void {
  const rereadSession = useRereadSession()
  return useCallback(
    (title, failed) => {
      const { failure } = failed
      console.warn(title, failure)
      toast.error(title, { description: reasonOf(failed) })
      if (failure && signedOut.has(failure.code)) void rereadSession()
    },
    [rereadSession],
  )
}
