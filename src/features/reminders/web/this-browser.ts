import { registerServiceWorker } from '#platform/ui/service-worker.ts'
import { type Subscription, subscriptionSchema } from '../reminder.ts'

/** How far this browser lets itself be pushed to. */
export type Reach =
  /** Over plain http, where browsers have none of it. */
  | 'insecure'
  /** It has no service workers, no push, or no notifications. */
  | 'unsupported'
  /** Its person has not been asked. */
  | 'undecided'
  | 'denied'
  | 'allowed'

export function reachOfThisBrowser(): Reach {
  if (!globalThis.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  const { permission } = Notification
  if (permission === 'granted') return 'allowed'
  return permission === 'denied' ? 'denied' : 'undecided'
}

const answered = new EventTarget()

/** The browser's own question. To be called from a press, or browsers refuse to ask it. */
export async function askBrowser(): Promise<void> {
  await Notification.requestPermission()
  answered.dispatchEvent(new Event('answered'))
}

/** Calls `changed` whenever the reach may be another: what is answered in the browser's own settings is seen on coming back. */
export function watchReach(changed: () => void): () => void {
  answered.addEventListener('answered', changed)
  window.addEventListener('focus', changed)
  document.addEventListener('visibilitychange', changed)
  return () => {
    answered.removeEventListener('answered', changed)
    window.removeEventListener('focus', changed)
    document.removeEventListener('visibilitychange', changed)
  }
}

/** Undefined where this browser is not subscribed. */
export async function existingSubscription(): Promise<Subscription | undefined> {
  const { pushManager } = await activeWorker()
  const subscription = await pushManager.getSubscription()
  return subscription ? subscriptionSchema.parse(subscription.toJSON()) : undefined
}

/** Rejects where the browser, or the push service behind it, does not want to. */
export async function subscribe(publicKey: string): Promise<Subscription> {
  const { pushManager } = await activeWorker()
  const how = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return subscriptionSchema.parse((await pushManager.subscribe(how)).toJSON())
  } catch (problem) {
    if (!(problem instanceof DOMException) || problem.name !== 'InvalidStateError') throw problem
    // Subscribed with another key: to a server that was here before this one.
    await (await pushManager.getSubscription())?.unsubscribe()
    return subscriptionSchema.parse((await pushManager.subscribe(how)).toJSON())
  }
}

async function activeWorker(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker()
  return navigator.serviceWorker.ready
}
