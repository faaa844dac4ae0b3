let shownByPages: boolean | undefined

/** 'unavailable' where the browser has none, over plain http, and on phones, which show only those of a service worker. */
export function notificationPermission(): NotificationPermission | 'unavailable' {
  if (!('Notification' in globalThis) || !globalThis.isSecureContext) return 'unavailable'
  const { permission } = Notification
  return permission === 'default' && !canPageShow() ? 'unavailable' : permission
}

/** Shows it if they allowed it. Several tabs that tell of the same run show it once. */
export function notify(run: string, title: string, body: string): void {
  if (notificationPermission() !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag: run })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch (error) {
    console.warn('This browser shows no notification from a page', error)
  }
}

/** Without permission nothing is shown by it; where pages never may, it throws. */
function canPageShow(): boolean {
  try {
    shownByPages ??= new Notification('Daymark') instanceof Notification
  } catch {
    shownByPages = false
  }
  return shownByPages
}
