import { signOut } from './auth-request.ts'

// Scripts cannot remove the session cookie. After signing out offline, the device forgets the account at once and notes that the
// server still has to end the session. Until then nobody is signed in here, whatever the cookie says.

const key = 'daymark-sign-out'

export function isSignOutPending(): boolean {
  return stored(key) !== null
}

/**
 * Notes that the server still has to end the session. Returns false if the browser stores nothing: then the cookie would sign in
 * again.
 */
export function deferSignOut(): boolean {
  try {
    localStorage.setItem(key, 'the server is to be told')
    return true
  } catch {
    return false
  }
}

/**
 * Waits for a sign-out in another tab, and notifies the server if that is still necessary. Returns false if the server cannot be
 * reached yet.
 */
export function finishSignOut(): Promise<boolean> {
  return oneAtATime(notifyServer)
}

/** The longest time that a sign-out takes, in milliseconds. */
const longestSignOut = 15_000

/**
 * Runs `work` in one tab at a time. Otherwise the later of two tabs would sign out whoever has signed in since. If there are no
 * locks, as over plain http, or another tab hangs and keeps the lock, `work` runs all the same, so that people can sign in.
 */
export async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!navigator.locks) return work()
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return work()
  }
  try {
    return await navigator.locks.request(key, { signal: AbortSignal.timeout(longestSignOut) }, begin)
  } catch (error) {
    if (hasBegun) throw error
    return work()
  }
}

/** Called after a sign-in: the cookie is a new one, so the pending sign-out no longer applies. */
export function forgetPendingSignOut(): void {
  forget(key)
}

const underWayKey = 'daymark-signing-out'

/**
 * Runs `work`, which signs out at the server and erases the account, and marks the account meanwhile. Other tabs may find the
 * session ended before this tab has the response, and the mark tells them why. `work` must not read the session, because that
 * read may wait for `work` to end.
 */
export function whileSigningOut<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
  return oneAtATime(async () => {
    try {
      localStorage.setItem(underWayKey, JSON.stringify([account, Date.now()]))
    } catch {
      // The browser stores nothing, so other tabs cannot learn why the session ended.
    }
    return work().finally(() => forget(underWayKey))
  })
}

/** Whether a tab of this browser is signing out of this account right now, or was closed while doing so. */
export function isSigningOut(account: string): boolean {
  try {
    const [who, since] = JSON.parse(stored(underWayKey) ?? '[]')
    return who === account && Math.abs(Date.now() - since) < longestSignOut
  } catch {
    return false
  }
}

/** Forgets a sign-out that no tab continues. The account is still signed in, so the mark must not explain a later end. */
export async function forgetDeadSignOut(): Promise<void> {
  if (stored(underWayKey) === null) return
  await navigator.locks?.request(key, { ifAvailable: true }, async (lock) => {
    if (lock) forget(underWayKey)
  })
}

async function notifyServer(): Promise<boolean> {
  if (!isSignOutPending()) return true
  const response = await signOut()
  if (!response.ok && response.failure?.code !== 'UNAUTHORIZED') return false
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
    // If the note could not be stored, there is nothing to remove.
  }
}
