import { signOut } from './auth-request.ts'

// Scripts cannot remove the cookie of a sign-in session. After signing out offline, the device forgets the account at once
// and notes that the server has yet to be told. Until then nobody is signed in here, whatever the cookie says.

const key = 'daymark-sign-out'

export function isSignOutPending(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/** Returns false if the browser stores nothing, so that the cookie would sign in again. */
export function deferSignOut(): boolean {
  try {
    localStorage.setItem(key, 'the server is to be told')
    return true
  } catch {
    return false
  }
}

/** Notifies the server if that is still to be done. Returns false if it cannot be reached yet. */
export function finishSignOut(): Promise<boolean> {
  // Without the lock, the later of two tabs would sign out whoever has signed in since.
  return navigator.locks ? navigator.locks.request(key, notifyServer) : notifyServer()
}

/** Somebody has signed in: the cookie is a different one. */
export function forgetPendingSignOut(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // What could not be stored need not be removed.
  }
}

async function notifyServer(): Promise<boolean> {
  if (!isSignOutPending()) return true
  const answer = await signOut()
  if (!answer.ok && answer.failure?.code !== 'UNAUTHORIZED') return false
  forgetPendingSignOut()
  return true
}
