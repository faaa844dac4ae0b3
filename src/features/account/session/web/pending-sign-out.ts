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

/** Longer than a sign-out takes, in milliseconds. */
const longestSignOut = 15_000

/**
 * Otherwise the later of two tabs would sign out whoever has signed in since. Over plain http there are no locks, and a tab
 * that hangs must not keep people from signing in.
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

/** Somebody has signed in: the cookie is a different one. */
export function forgetPendingSignOut(): void {
  forget(key)
}

const underWayKey = 'daymark-signing-out'

/**
 * For asking the server and erasing the account: other tabs may find the sign-in session ended before this one has the
 * response, and must know why. `work` must not read the session, which may wait for its end.
 */
export function whileSigningOut<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
  return oneAtATime(async () => {
    try {
      localStorage.setItem(underWayKey, JSON.stringify([account, Date.now()]))
    } catch {
      // A browser that stores nothing can't explain an ending either.
    }
    return work().finally(() => forget(underWayKey))
  })
}

/** Whether this account signs out in a tab of this browser right now, or did in one that was closed before the end. */
export function isSigningOut(account: string): boolean {
  try {
    const [who, since] = JSON.parse(stored(underWayKey) ?? '[]')
    return who === account && Math.abs(Date.now() - since) < longestSignOut
  } catch {
    return false
  }
}

/** The account is still signed in: a sign-out that no tab is about any more has not come to pass, and explains nothing later. */
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
    // What could not be stored need not be removed.
  }
}
