import type { User } from '../account.ts'

/** Browsers tell the other tabs when what is kept under it changes: somebody signed in or out. */
export const accountKey = 'daymark-account'

/** The last account, as text that an older build may have written; null where the device knows none. */
export function keptAccount(): string | null {
  try {
    return localStorage.getItem(accountKey)
  } catch {
    return null
  }
}

/** The device then knows the account at a start, before the server has said anything. */
export function keepAccount(user: User): void {
  try {
    localStorage.setItem(accountKey, JSON.stringify(user))
  } catch {
    // A browser that keeps nothing still signs in; it only has to wait for the server at each start.
  }
}

export function forgetAccount(): void {
  try {
    localStorage.removeItem(accountKey)
  } catch {
    // What could not be kept need not be forgotten.
  }
}
