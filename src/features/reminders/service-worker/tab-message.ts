/** The messages that the service worker sends to open tabs. */
export type TabMessage =
  /** A press on a notification has changed data of this user on the server. */
  | { daymark: 'changed'; user: string }
  /** A notification was pressed: go to this page. */
  | { daymark: 'open'; url: string }

/** Returns undefined for messages that are not from our worker, or are from a newer version of it. */
export function readTabMessage(data: unknown): TabMessage | undefined {
  if (typeof data !== 'object' || data === null || !('daymark' in data)) return undefined
  if (data.daymark === 'changed' && 'user' in data && typeof data.user === 'string')
    return { daymark: 'changed', user: data.user }
  if (data.daymark === 'open' && 'url' in data && typeof data.url === 'string')
    return { daymark: 'open', url: data.url }
  return undefined
}
