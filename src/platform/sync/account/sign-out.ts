import { countDrafts, forgetDrafts } from '../local-store/kept-drafts.ts'
import { forgetUnstoredWrites } from '../outbox/unstored-writes.ts'
import { openChannel } from './account-sync.ts'
import { findSync, sharedLocalStore } from './account-syncs.ts'

/** What the person would lose by signing out. */
export interface Unsaved {
  /** How many of the account's changes the server has not accepted. */
  unsent: number
  /** In how many fields the person typed something that is not saved. */
  typed: number
}

/** Sends the queued writes. Resolves with how many could not be sent, and in how many fields text was typed but never saved. */
export async function saveBeforeSignOut(account: string): Promise<Unsaved> {
  const sent = await sendUnsent(account).catch((error) => {
    console.warn('What is on this device could not be sent', error)
    return false
  })
  return { unsent: sent ? 0 : await countUnsent(account), typed: countDrafts(account) }
}

/** How many of the account's changes the server has not accepted. */
export async function countUnsent(account: string): Promise<number> {
  const sync = findSync(account)
  if (sync) {
    await sync.outbox.ready
    return sync.unsentWrites.unsent
  }
  const store = await openStore().catch(() => undefined)
  return store?.countUnsent(account) ?? 0
}

/** Sends the queued writes. Resolves with false if that fails (no connection, signed out, or not within ten seconds). */
async function sendUnsent(account: string): Promise<boolean> {
  const sync = findSync(account)
  return sync ? sync.unsentWrites.drain(10_000) : (await countUnsent(account)) === 0
}

/** Stops reads, which the server would refuse while it signs this browser out. Returns a function that resumes them. */
export function pauseReading(account: string): () => void {
  return findSync(account)?.stopReading() ?? (() => {})
}

/** Erases everything of the account on this device, unsent writes included; its other tabs reload. */
export async function eraseAccount(account: string): Promise<void> {
  const sync = findSync(account)
  if (sync) {
    const { durable } = sync.state
    await sync.wipe()
    // Without storage, the sync erased only what was in memory; earlier pages may have stored more.
    if (durable) return
  }
  forgetUnstoredWrites(account)
  forgetDrafts(account)
  const store = await openStore()
  await store?.wipe(account)
  const channel = openChannel(account)
  channel.postMessage('re-read')
  channel.close()
}

/**
 * Opens the local store; undefined if the browser has no storage, which means that nothing of the account is stored. Rejects if
 * there is storage that can't be opened now.
 */
async function openStore() {
  try {
    return await sharedLocalStore()
  } catch (error) {
    if (globalThis.indexedDB && !(error instanceof DOMException && deniesStorage.has(error.name))) throw error
    return undefined
  }
}

const deniesStorage = new Set(['SecurityError', 'InvalidStateError'])
