/** What the service worker sends to the open tabs. */
export type TabMessage =
  /** A press on a notification has changed data of this user on the server. */
  | { daymark: 'changed'; user: string }
  /** A notification was pressed: go to this page. */
  | { daymark: 'open'; url: string }

/** Undefined for messages from anything but our worker, or from a newer one. */
export function readTabMessage(data: unknown): TabMessage | undefined {
  if (typeof data !== 'object' || data === null || !('daymark' in data)) return undefined
  if (data.daymark === 'changed' && 'user' in data && typeof data.user === 'string')
    return { daymark: 'changed', user: data.user }
  if (data.daymark === 'open' && 'url' in data && typeof data.url === 'string')
    return { daymark: 'open', url: data.url }
  return undefined
}
