import { vi } from 'vitest'

// Far longer than anything takes: how busy a machine is must not decide a test.
const patience = { timeout: 300_000 }

/** Tries `check` until it does not throw, and returns what it returned. */
export const waitFor = <T>(check: () => T | Promise<T>) => vi.waitFor(check, patience)

/** Tries `isSo` until it returns something truthy, which is returned. */
export const waitUntil = <T>(isSo: () => T | Promise<T>) => vi.waitUntil(isSo, patience)
