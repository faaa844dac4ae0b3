import { signOut } from './auth-calls.ts'

// Scripts cannot take the cookie of a sign-in away. Signed out without a connection, the device forgets the account at
// once and notes that the server is still to be told. As long as it is not, nobody is signed in here, whatever the cookie says.

const key = 'daymark-sign-out'

export function isSignOutPending(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

/** False where the browser keeps nothing, so that the cookie would sign in again. */
export function signOutLater(): boolean {
  try {
    localStorage.setItem(key, 'the server is to be told')
    return true
  } catch {
    return false
  }
}

/** Tells the server, if it is still to be told. False when it cannot be told yet. */
export function finishSignOut(): Promise<boolean> {
  // Of two tabs, the later would sign out whoever has signed in since.
  return navigator.locks ? navigator.locks.request(key, tellServer) : tellServer()
}

/** Somebody has signed in: the cookie is another one. */
export function forgetPendingSignOut(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // What could not be kept need not be forgotten.
  }
}

async function tellServer(): Promise<boolean> {
  if (!isSignOutPending()) return true
  const answer = await signOut()
  if (!answer.ok && answer.failure?.code !== 'UNAUTHORIZED') return false
  forgetPendingSignOut()
  return true
}
