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

/**
 * Waits for a sign-out in another tab, and notifies the server if that is still to be done. Returns false if it cannot be
 * reached yet.
 */
export function finishSignOut(): Promise<boolean> {
  return oneAtATime(notifyServer)
}

/** Otherwise the later of two tabs would sign out whoever has signed in since. Over plain http there are no locks. */
export function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request(key, work) : work()
}

/** Somebody has signed in: the cookie is a different one. */
export function forgetPendingSignOut(): void {
  forget(key)
}

const underWayKey = 'daymark-signing-out'
/** Longer than a sign-out takes, in milliseconds. */
const longestSignOut = 15_000

/**
 * For asking the server and forgetting the account: other tabs may find the sign-in session ended before this one has the
 * answer, and must know why. `work` must not read the session, which may wait for its end.
 */
export function whileSigningOut<Result>(work: () => Promise<Result>): Promise<Result> {
  return oneAtATime(async () => {
    try {
      localStorage.setItem(underWayKey, String(Date.now()))
    } catch {
      // A browser that stores nothing can't explain an ending either.
    }
    return work().finally(() => forget(underWayKey))
  })
}

/** Whether somebody signs out in a tab of this browser right now, or did in one that was closed before the end. */
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
