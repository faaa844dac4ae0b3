import { signOut } from './auth-request.ts'

// Scripts cannot remove the cookie of a sign-in session. After signing out offline, the device forgets the account at once
// and notes that the server has yet to be told. Until then nobody is signed in here, whatever the cookie says.

const key = 'daymark-sign-out'

export function isSignOutPending(): boolean {
  return stored(key) !== null
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
  forget(key)
}

const underWayKey = 'daymark-signing-out'
/** Longer than any sign-out takes, in milliseconds: a tab that dies during one must not silence later endings. */
const longestSignOut = 15_000

/** Another tab may find the sign-in session ended before this one has the answer: it must not wonder why. */
export async function whileSigningOut(work: () => Promise<void>): Promise<void> {
  try {
    localStorage.setItem(underWayKey, String(Date.now()))
  } catch {
    // A browser that stores nothing can't explain an ending either.
  }
  try {
    await work()
  } finally {
    forget(underWayKey)
  }
}

/** Whether somebody is signing out in a tab of this browser right now. */
export function isSigningOut(): boolean {
  const since = stored(underWayKey)
  return since !== null && Math.abs(Date.now() - Number(since)) < longestSignOut
}

async function notifyServer(): Promise<boolean> {
  if (!isSignOutPending()) return true
  const answer = await signOut()
  if (!answer.ok && answer.failure?.code !== 'UNAUTHORIZED') return false
  forgetPendingSignOut()
  return true
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function forget(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // What could not be stored need not be removed.
  }
}
