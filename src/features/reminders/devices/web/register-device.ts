import { unsubscribeFromPushes } from '#platform/browser/device/notifications.ts'
import { registerServiceWorker } from '#platform/browser/device/service-worker.ts'
import { type Subscription, subscriptionSchema } from '../push-subscription.ts'
import type { RegisteredDevice } from './registered-device.ts'
import { putDevice, readReminders } from './reminder-calls.ts'

/**
 * Subscribes this browser to pushes and registers it with the server. Returns its id and endpoint, or the problem; 'off' if the
 * server sends no pushes.
 */
export async function registerDevice(
  account: string,
  registered: RegisteredDevice | null | undefined,
): Promise<{ value: Omit<RegisteredDevice, 'signIn'> } | { problem: string } | 'off'> {
  const reminders = await readReminders(account)
  if ('problem' in reminders) return reminders
  const { public_key } = reminders.value
  if (public_key === null) return 'off'
  try {
    // The server deletes a device that its push service no longer knows. The old subscription is dead then, so replace it.
    if (registered && !reminders.value.devices.some(({ id }) => id === registered.id))
      await unsubscribeFromPushes()
    const subscription = await subscribe(public_key)
    const device = await putDevice(account, subscription)
    if ('problem' in device) return device
    return { value: { id: device.value.id, endpoint: subscription.endpoint } }
  } catch (error) {
    console.warn('This browser could not be subscribed to pushes', error)
    return { problem: 'This browser or its push service refused the request.' }
  }
}

/** Returns undefined if this browser is not subscribed. */
export async function existingSubscription(): Promise<Subscription | undefined> {
  const { pushManager } = await activeWorker()
  const subscription = await pushManager.getSubscription()
  return subscription ? subscriptionSchema.parse(subscription.toJSON()) : undefined
}

/** Rejects if the browser or its push service refuses. */
async function subscribe(publicKey: string): Promise<Subscription> {
  const { pushManager } = await activeWorker()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return subscriptionSchema.parse((await pushManager.subscribe(options)).toJSON())
  } catch (problem) {
    if (!(problem instanceof DOMException) || problem.name !== 'InvalidStateError') throw problem
    // The browser is subscribed with another key, of a server that used this address before.
    await (await pushManager.getSubscription())?.unsubscribe()
    return subscriptionSchema.parse((await pushManager.subscribe(options)).toJSON())
  }
}

async function activeWorker(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker()
  return navigator.serviceWorker.ready
}
