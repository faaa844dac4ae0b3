// The notifications and pushes of this browser's service worker. These functions do nothing without a service worker, and do
// not register one.

/**
 * Closes the notifications with a tag, or all of them. Never rejects: a notification that stays is a nuisance, not a
 * failure.
 */
export async function closeNotifications(tag?: string): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const shown = await registration?.getNotifications(tag === undefined ? {} : { tag })
    for (const notification of shown ?? []) notification.close()
  } catch (error) {
    console.warn('The notifications could not be closed', error)
  }
}

/** Makes the browser's push service forget this browser. Rejects if the service cannot be reached. */
export async function unsubscribeFromPushes(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
