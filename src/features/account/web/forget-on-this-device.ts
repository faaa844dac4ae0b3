import { wipe } from '#platform/sync/leave.ts'
import { closeNotifications, unsubscribeFromPushes } from '#platform/ui/notifications.ts'
import { toast } from '#platform/ui/toast.ts'
import type { User } from '../account.ts'
import { forgetAccount } from './account-on-device.ts'

/** Nothing of the account stays on this device, in no tab. Never rejects: what could not be removed is told. */
export async function forgetOnThisDevice(user: User): Promise<void> {
  forgetAccount()
  await wipe(user.id).catch((surprise) => {
    console.warn('The account could not be removed from this device', surprise)
    toast.error('Failed to remove your data from this device')
  })
  await closeNotifications()
  // A push service that does not answer is not waited for: the server has forgotten this browser with the sign-in session.
  await Promise.race([unsubscribed(), new Promise((resolve) => setTimeout(resolve, 3_000))])
}

async function unsubscribed(): Promise<void> {
  await unsubscribeFromPushes().catch((refusal) =>
    console.warn('The browser could not be unsubscribed', refusal),
  )
}
