/** What the service worker says to the open tabs. */
export type WordToTabs =
  /** What was pressed on a notification has changed something of the user's on the server. */
  | { daymark: 'changed'; user: string }
  /** A notification was pressed: go to this page. */
  | { daymark: 'open'; url: string }

/** Undefined for what is not said by our worker, or by a newer one. */
export function readWord(said: unknown): WordToTabs | undefined {
  if (typeof said !== 'object' || said === null || !('daymark' in said)) return undefined
  if (said.daymark === 'changed' && 'user' in said && typeof said.user === 'string')
    return { daymark: 'changed', user: said.user }
  if (said.daymark === 'open' && 'url' in said && typeof said.url === 'string')
    return { daymark: 'open', url: said.url }
  return undefined
}
