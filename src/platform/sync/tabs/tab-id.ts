import { randomId } from '../local-store/random-id.ts'

const storageKey = 'daymark-holder'

/**
 * Identifies this page in leader election. A reloaded page keeps its id; otherwise it would have to wait for its own lease to
 * expire. The id is in sessionStorage only while no page uses it, so that a duplicated tab gets its own id.
 */
export function tabIdOfPage(): string {
  const tabId = takeStoredId() ?? randomId()
  addEventListener('pagehide', () => storeId(tabId))
  // The page came back from the back/forward cache, so its id is in use again.
  addEventListener('pageshow', () => takeStoredId())
  return tabId
}

function takeStoredId(): string | undefined {
  try {
    const stored = sessionStorage.getItem(storageKey) ?? undefined
    sessionStorage.removeItem(storageKey)
    return stored
  } catch {
    return undefined
  }
}

function storeId(tabId: string): void {
  try {
    sessionStorage.setItem(storageKey, tabId)
  } catch {
    // A browser without storage has no leases either, so the id need not be stored.
  }
}
