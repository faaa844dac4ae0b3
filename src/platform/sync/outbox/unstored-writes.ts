import * as z from 'zod/mini'
import type { NewQueuedWrite } from '../local-store/queued-write.ts'

// IndexedDB takes a moment to store a write. A page that is reloaded or closed does not have that moment and would lose the
// write. localStorage stores synchronously, so a page saves there what is not in IndexedDB yet.

export interface UnstoredWrites {
  writes: readonly NewQueuedWrite[]
  /** Deletes the writes. Call it once the local store has them. */
  forget(): void
}

const writesSchema = z.array(
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
    after: z.optional(z.number()),
    guess: z.optional(z.object({ ahead: z.number(), since: z.number(), page: z.string() })),
    takesBack: z.optional(z.object({ by: z.enum(['undo', 'redo']), follows: z.array(z.string()) })),
  }),
)

/**
 * Call it when the page is left. `page`: its id. `writes`: the writes that the local store does not have yet. They replace those that
 * the page saved before: if it was shown again meanwhile, it has stored those itself, and the next page must not make them again.
 */
export function saveUnstoredWrites(account: string, page: string, writes: readonly NewQueuedWrite[]): void {
  const key = prefixOf(account) + page
  try {
    if (writes.length > 0) localStorage.setItem(key, JSON.stringify(writes))
    else localStorage.removeItem(key)
  } catch (error) {
    console.warn('What was changed last could not be kept', error)
  }
}

/** The writes that earlier pages left behind. */
export function findUnstoredWrites(account: string): UnstoredWrites {
  const left = keysOf(account).map((key) => ({ key, text: localStorage.getItem(key) }))
  // A page that is not gone yet may have saved more meanwhile.
  const forget = () => removeAll(left.filter(({ key, text }) => localStorage.getItem(key) === text))
  return { writes: left.flatMap(readWrites), forget }
}

/** Deletes the writes of a signed-out account, so that nothing of it stays on this device. */
export function forgetUnstoredWrites(account: string): void {
  removeAll(keysOf(account).map((key) => ({ key })))
}

/** The prefix of an account's keys. Each page stores under its own key. */
function prefixOf(account: string): string {
  return `daymark-left-writes ${account} `
}

/** Empty if the browser denies storage. */
function keysOf(account: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(account)))
  } catch {
    return []
  }
}

function readWrites({ text }: { text: string | null }): NewQueuedWrite[] {
  try {
    return writesSchema.parse(JSON.parse(text ?? '[]'))
  } catch (error) {
    console.warn('What another build left could not be read', error)
    return []
  }
}

function removeAll(left: readonly { key: string }[]): void {
  for (const { key } of left) localStorage.removeItem(key)
}
