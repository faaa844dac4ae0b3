import { openChannel } from './account-sync.ts'
import { forgetLeftWrites } from './left-writes.ts'
import { findSync, forgetSync, sharedDevice } from './syncs.ts'

/** How much of the account the server has not taken and would be lost by leaving. */
export async function waiting(account: string): Promise<number> {
  const sync = findSync(account)
  if (sync) {
    await sync.outbox.ready
    return sync.leaving.unsent
  }
  const device = await openDevice()
  if (!device) return 0
  const { entries, notices } = await device.open(account)
  return entries.filter((entry) => entry.acknowledged === undefined).length + notices.length
}

/** Sends what is queued. False when it cannot now (no connection, signed out, or not within ten seconds). */
export async function drain(account: string): Promise<boolean> {
  const sync = findSync(account)
  return sync ? sync.leaving.drain(10_000) : (await waiting(account)) === 0
}

/** What is asked while the server signs this browser out would be refused. Answers the way back. */
export function stopReading(account: string): () => void {
  return findSync(account)?.stopReading() ?? (() => {})
}

/** Forgets everything of the account on this device, unsent writes included; its other tabs reload. */
export async function wipe(account: string): Promise<void> {
  const sync = findSync(account)
  if (sync) {
    await sync.wipe()
    forgetSync(account)
    return
  }
  forgetLeftWrites(account)
  const device = await openDevice()
  await device?.wipe(account)
  const channel = openChannel(account)
  channel.postMessage('re-read')
  channel.close()
}

/** Undefined where the browser has no storage: nothing of the account is there. */
function openDevice() {
  return sharedDevice().catch(() => undefined)
}
