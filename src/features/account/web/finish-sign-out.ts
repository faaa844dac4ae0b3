import { signOut } from './auth-request.ts'
import { forgetPendingSignOut, isSignOutPending, oneAtATime } from './pending-sign-out.ts'

/**
 * Waits for a sign-out in another tab, and notifies the server if that is still to be done. Returns false if it cannot be
 * reached yet.
 */
export function finishSignOut(): Promise<boolean> {
  return oneAtATime(notifyServer)
}

async function notifyServer(): Promise<boolean> {
  if (!isSignOutPending()) return true
  const answer = await signOut()
  if (!answer.ok && answer.failure?.code !== 'UNAUTHORIZED') return false
  forgetPendingSignOut()
  return true
}
