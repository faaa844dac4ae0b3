import type { QueryClient } from '@tanstack/react-query'
import { duringActivity } from '#platform/browser/activity.ts'
import type { OpenEvents } from '../live/open-events.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import type { LocalStore } from '../local-store/local-store.ts'
import { tabIdOfPage } from '../tabs/tab-id.ts'
import { AccountSync, type AccountSyncParts } from './account-sync.ts'

const syncs = new Map<string, AccountSync>()
let store: Promise<LocalStore> | undefined
let tabId: string | undefined

/** This page's only local store. Rejects if the browser has none. */
export function sharedLocalStore(): Promise<LocalStore> {
  store ??= openIndexedDbStore()
  return store
}

/**
 * Opens the stream of events. Its code is fetched after the first screen; if that fails, the caller tries again later, as when
 * the stream itself cannot be opened.
 */
const openEvents: OpenEvents = async (...stream) => {
  const fetched = await duringActivity(import('../live/open-events.ts')).catch(() => undefined)
  return fetched?.openEvents(...stream) ?? { kind: 'none', retryAfter: undefined }
}

/** This page's only sync of an account. It outlives the screens that use it. */
export function syncOf(
  account: string,
  declared: Pick<AccountSyncParts, 'writes' | 'otherWrites'>,
  queryClient: QueryClient,
): AccountSync {
  tabId ??= tabIdOfPage()
  const sync =
    findSync(account) ??
    new AccountSync({ account, ...declared, queryClient, store: sharedLocalStore(), tabId, openEvents })
  syncs.set(account, sync)
  return sync
}

/** The sync of an account; undefined if there is none or the account was erased, after which a sign-in needs a new one. */
export function findSync(account: string): AccountSync | undefined {
  const sync = syncs.get(account)
  return sync?.isErased ? undefined : sync
}
