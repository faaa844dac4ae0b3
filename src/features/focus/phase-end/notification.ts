import { notificationTag } from '#features/reminders/reminder/notification-tag.ts'

let shownByPages: boolean | undefined

/** 'unavailable' if the browser has no notifications, over plain http, and on phones, which show only a service worker's. */
export function notificationPermission(): NotificationPermission | 'unavailable' {
  if (!('Notification' in globalThis) || !globalThis.isSecureContext) return 'unavailable'
  const { permission } = Notification
  return permission === 'default' && !canPageShow() ? 'unavailable' : permission
}

/** Shows a notification if the person allowed it. Several tabs, and a push, that announce the same run show it once. */
export function notify(run: string, title: string, body: string): void {
  if (notificationPermission() !== 'granted') return
  try {
    const notification = new Notification(title, { body, tag: notificationTag('focus', run) })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch (error) {
    console.warn('This browser shows no notification from a page', error)
  }
}

/** Without permission this shows nothing; where pages may never show notifications, it throws. */
function canPageShow(): boolean {
  try {
    shownByPages ??= new Notification('Daymark') instanceof Notification
  } catch {
    shownByPages = false
  }
  return shownByPages
}
