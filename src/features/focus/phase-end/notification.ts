import { notificationTag } from '#features/reminders/reminder/notification-tag.ts'

let shownByPages: boolean | undefined

/**
 * 'unavailable' where pages cannot show notifications: in browsers without them, over plain http, and on phones, where only
 * service workers can show them.
 */
export function notificationPermission(): NotificationPermission | 'unavailable' {
  if (!('Notification' in globalThis) || !globalThis.isSecureContext) return 'unavailable'
  const { permission } = Notification
  return permission === 'default' && !canPageShow() ? 'unavailable' : permission
}

/**
 * Shows a notification if the person allowed notifications. Because of the tag, several tabs and a push for one run show only one
 * notification.
 */
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

/**
 * Tests whether a page may show notifications. Without permission the test shows nothing; where pages may never show any, the
 * constructor throws.
 */
function canPageShow(): boolean {
  try {
    shownByPages ??= new Notification('Daymark') instanceof Notification
  } catch {
    shownByPages = false
  }
  return shownByPages
}
