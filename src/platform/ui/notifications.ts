// What the service worker of this browser shows, and is pushed. Where there is none, there is nothing to do: it is not
// registered for it.

/** Those of a tag, or all. Never rejects: a notification that stays is a nuisance, and no reason to stop. */
export async function closeNotifications(tag?: string): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    const shown = await registration?.getNotifications(tag === undefined ? {} : { tag })
    for (const notification of shown ?? []) notification.close()
  } catch (refusal) {
    console.warn('The notifications could not be closed', refusal)
  }
}

/** The push service behind the browser forgets it. Rejects where that cannot be reached. */
export async function unsubscribeFromPushes(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
