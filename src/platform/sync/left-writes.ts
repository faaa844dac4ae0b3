import * as z from 'zod/mini'
import type { NewEntry } from './entry.ts'
import { randomId } from './random-id.ts'

// IndexedDB takes a moment to keep a write, and a page that is reloaded or closed does not have it: the write would be gone
// with the page. What localStorage is given it has at once, so what is still on its way to the device is left there.

export interface LeftWrites {
  entries: readonly NewEntry[]
  /** To be called once the device has them. */
  forget(): void
}

const entriesSchema = z.array(
  z.object({
    id: z.string(),
    account: z.string(),
    list: z.string(),
    write: z.string(),
    version: z.number(),
    vars: z.unknown(),
    subject: z.string(),
    refusal: z.string(),
    text: z.string(),
    typed: z.optional(z.boolean()),
    at: z.optional(z.number()),
  }),
)

/** For a page that is being left: `entries` are what the device does not have yet. */
export function leaveWrites(account: string, entries: readonly NewEntry[]): void {
  if (entries.length === 0) return
  try {
    localStorage.setItem(prefixOf(account) + randomId(), JSON.stringify(entries))
  } catch (error) {
    console.warn('What was changed last could not be kept', error)
  }
}

/** What pages that are gone have left. */
export function findLeftWrites(account: string): LeftWrites {
  const keys = keysOf(account)
  return { entries: keys.flatMap(readEntries), forget: () => removeAll(keys) }
}

/** Nothing of an account that leaves this device stays behind. */
export function forgetLeftWrites(account: string): void {
  removeAll(keysOf(account))
}

/** Each page leaves its own. */
function prefixOf(account: string): string {
  return `daymark-left-writes ${account} `
}

/** None where the browser forbids storage. */
function keysOf(account: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(account)))
  } catch {
    return []
  }
}

function readEntries(key: string): NewEntry[] {
  try {
    return entriesSchema.parse(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch (error) {
    console.warn('What another build left could not be read', error)
    return []
  }
}

function removeAll(keys: readonly string[]): void {
  for (const key of keys) localStorage.removeItem(key)
}
