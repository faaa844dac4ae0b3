import { useCallback } from 'react'
import { toast } from '#platform/ui/overlays/toast.ts'
import type { Failure } from '#platform/wire/failure.ts'
import { useRereadSession } from './session.ts'

const signedOut = new Set(['NOT_SIGNED_IN', 'SIGNED_IN_AS_SOMEONE_ELSE', 'UNAUTHORIZED'])

/** Shows that something failed, in the server's words if it gave any. */
export function useFailureToast(): (title: string, failure: Failure | undefined) => void {
  const rereadSession = useRereadSession()
  return useCallback(
    (title, failure) => {
      console.warn(title, failure)
      toast.error(title, { description: failure?.message ?? "The server can't be reached." })
      if (failure && signedOut.has(failure.code)) void rereadSession()
    },
    [rereadSession],
  )
}
