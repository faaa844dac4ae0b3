import { countDrafts } from '../local-store/kept-drafts.ts'
import { findSync } from './account-syncs.ts'
import { openStore } from './erase-account.ts'
import { drain, unsentOf } from './unsent-writes.ts'

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
    return unsentOf(sync)
  }
  const store = await openStore().catch(() => undefined)
  return store?.countUnsent(account) ?? 0
}

/** Sends the queued writes. Resolves with false if that fails (no connection, signed out, or not within ten seconds). */
async function sendUnsent(account: string): Promise<boolean> {
  const sync = findSync(account)
  return sync ? drain(sync, 10_000) : (await countUnsent(account)) === 0
}
