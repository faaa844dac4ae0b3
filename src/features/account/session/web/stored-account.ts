import type { User } from '../user.ts'

/** The storage key of the account. When its value changes, browsers notify the other tabs that somebody signed in or out. */
export const accountKey = 'daymark-account'

/** The last account as stored text, which an older version may have written; null if this device knows no account. */
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
    // If the account could not be stored, there is nothing to remove.
  }
}
