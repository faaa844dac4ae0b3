import { forgetDrafts } from '../local-store/kept-drafts.ts'
import { forgetUnstoredWrites } from '../outbox/unstored-writes.ts'
import { openChannel } from './account-sync.ts'
import { findSync, sharedLocalStore } from './account-syncs.ts'

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

/** Stops reads, which the server would refuse while it signs this browser out. Returns a function that resumes them. */
export function pauseReading(account: string): () => void {
  return findSync(account)?.stopReading() ?? (() => {})
}

/**
 * Opens the local store; undefined if the browser has no storage, which means that nothing of the account is stored. Rejects if
 * there is storage that can't be opened now.
 */
export async function openStore() {
  try {
    return await sharedLocalStore()
  } catch (error) {
    if (globalThis.indexedDB && !(error instanceof DOMException && deniesStorage.has(error.name))) throw error
    return undefined
  }
}

const deniesStorage = new Set(['SecurityError', 'InvalidStateError'])
