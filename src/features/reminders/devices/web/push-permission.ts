/** Whether this browser can receive pushes. */
export type PushPermission =
  /** Over plain http, where browsers offer neither service workers nor pushes. */
  | 'insecure'
  /** The browser has no service workers, no pushes, or no notifications. */
  | 'unsupported'
  /** The person has not been asked yet. */
  | 'undecided'
  | 'denied'
  | 'allowed'

export function pushPermission(): PushPermission {
  if (!globalThis.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  const { permission } = Notification
  if (permission === 'granted') return 'allowed'
  return permission === 'denied' ? 'denied' : 'undecided'
}

const answered = new EventTarget()

/** Shows the browser's permission prompt. Call it in response to a press, otherwise browsers refuse to ask. */
export async function requestPushPermission(): Promise<void> {
  await Notification.requestPermission()
  answered.dispatchEvent(new Event('answered'))
}

/**
 * Calls `changed` whenever the permission may have changed. A change in the browser's own settings is noticed when the person
 * returns to the page. Returns an unsubscribe function.
 */
export function watchPushPermission(changed: () => void): () => void {
  answered.addEventListener('answered', changed)
  window.addEventListener('focus', changed)
  document.addEventListener('visibilitychange', changed)
  return () => {
    answered.removeEventListener('answered', changed)
    window.removeEventListener('focus', changed)
    document.removeEventListener('visibilitychange', changed)
  }
}
