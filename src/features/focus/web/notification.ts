/** 'unavailable' where the browser has none, and over plain http. */
export function notificationPermission(): NotificationPermission | 'unavailable' {
  return 'Notification' in globalThis && globalThis.isSecureContext ? Notification.permission : 'unavailable'
}

/** Tells someone who looks at something else, if they allowed it. Several tabs that tell of the same run show it once. */
export function notify(run: string, title: string, body: string): void {
  if (document.visibilityState === 'visible' || notificationPermission() !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag: run })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch (error) {
    // Phones show only those of a service worker.
    console.warn('This browser shows no notification from a page', error)
  }
}
