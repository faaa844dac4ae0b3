import type { QueryClient } from '@tanstack/react-query'
import { AccountSync } from './account-sync.ts'
import type { Device } from './device.ts'
import { holderOfPage } from './holder.ts'
import { openIndexedDevice } from './indexed-device.ts'
import { openEvents } from './open-events.ts'
import type { AnyWrite } from './write.ts'

const syncs = new Map<string, AccountSync>()
let device: Promise<Device> | undefined
let holder: string | undefined

/** The one device store of this page. Rejects where the browser has none. */
export function sharedDevice(): Promise<Device> {
  device ??= openIndexedDevice()
  return device
}

/** The one sync of an account in this page: it outlives the screens, which come and go. */
export function syncOf(account: string, writes: readonly AnyWrite[], queryClient: QueryClient): AccountSync {
  holder ??= holderOfPage()
  const sync =
    syncs.get(account) ??
    new AccountSync({ account, writes, queryClient, device: sharedDevice(), holder, openEvents })
  syncs.set(account, sync)
  return sync
}

export function findSync(account: string): AccountSync | undefined {
  return syncs.get(account)
}

/** After a wipe the same person begins anew. */
export function forgetSync(account: string): void {
  syncs.delete(account)
}
