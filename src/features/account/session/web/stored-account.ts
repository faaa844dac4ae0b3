import type { User } from '../user.ts'

/** When this key's value changes, browsers notify the other tabs: somebody signed in or out. */
export const accountKey = 'daymark-account'

/** The last account, as text that the version before may have written; null if this device knows none. */
export function readStoredAccount(): string | null {
  try {
    return localStorage.getItem(accountKey)
  } catch {
    return null
  }
}

/** Lets the device know the account at its next start, before the server has answered. */
export function storeAccount(user: User): void {
  try {
    localStorage.setItem(accountKey, JSON.stringify(user))
  } catch {
    // A browser that stores nothing can still sign in; it only has to wait for the server at each start.
  }
}

export function forgetAccount(): void {
  try {
    localStorage.removeItem(accountKey)
  } catch {
    // What could not be stored need not be removed.
  }
}
