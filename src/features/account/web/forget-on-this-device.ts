import { wipe } from '#platform/sync/leave.ts'
import { closeNotifications, unsubscribeFromPushes } from '#platform/ui/notifications.ts'
import { toast } from '#platform/ui/toast.ts'
import type { User } from '../account.ts'
import { forgetAccount } from './account-on-device.ts'
import { forgetEndedSignIn } from './ended-sign-in.ts'

/** Nothing of the account stays on this device, in no tab. Never rejects: what could not be removed is told. */
export async function forgetOnThisDevice(user: Pick<User, 'id' | 'image'>): Promise<void> {
  forgetAccount()
  forgetEndedSignIn(user.id)
  await wipe(user.id).catch((surprise) => {
    console.warn('The account could not be removed from this device', surprise)
    toast.error('Failed to remove your data from this device')
  })
  await takePictureFromCache(user)
  await closeNotifications()
  // A push service that does not answer is not waited for: the server has forgotten this browser with the sign-in session.
  await Promise.race([unsubscribed(), new Promise((resolve) => setTimeout(resolve, 3_000))])
}

/**
 * The server tells the browser to forget what it has cached, which browsers heed over https and on localhost alone. Elsewhere
 * the refusal that whoever is signed out gets takes the picture's place.
 */
async function takePictureFromCache({ image }: Pick<User, 'image'>): Promise<void> {
  if (window.isSecureContext || !image) return
  const patience = AbortSignal.timeout(3_000)
  await fetch(image, { cache: 'reload', signal: patience }).catch((noAnswer) =>
    console.warn('The picture could not be taken from the cache', noAnswer),
  )
}

async function unsubscribed(): Promise<void> {
  await unsubscribeFromPushes().catch((refusal) =>
    console.warn('The browser could not be unsubscribed', refusal),
  )
}
