import { closeNotifications, unsubscribeFromPushes } from '#platform/browser/device/notifications.ts'
import { eraseAccount } from '#platform/sync/account/erase-account.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { User } from '../user.ts'
import { forgetEndedSignIn } from './ended-sign-in.ts'
import { oneAtATime } from './pending-sign-out.ts'
import { forgetAccount } from './stored-account.ts'

/** Removes everything of the account from this device, in every tab. Never rejects; a toast reports a failure. */
export async function forgetOnThisDevice(user: Pick<User, 'id' | 'image'>): Promise<void> {
  await eraseFromThisDevice(user)
  await forgetBesideData(user)
}

/** Erases the account's data, its unsent changes, and the notifications about them. */
export async function eraseFromThisDevice({ id }: Pick<User, 'id'>): Promise<void> {
  forgetAccount()
  storeToErase(id)
  forgetEndedSignIn(id)
  const [erased] = await Promise.all([erase(id), atMost3Seconds(closeNotifications())])
  if (!erased) toast.error('Failed to remove your data from this device')
}

/** Removes the cached picture and the push subscription. */
export async function forgetBesideData(user: Pick<User, 'image'>): Promise<void> {
  await evictPictureFromCache(user)
  // Do not wait for an unresponsive push service: the server deleted this subscription along with the session.
  await atMost3Seconds(unsubscribe())
}

/** Waits at most three seconds, so that a store or push service that hangs does not block anybody. */
async function atMost3Seconds(work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 3_000))])
}

// The storage key of the account to erase. If the page is closed or reloaded before the erasing has finished, the next page
// continues.
const key = 'daymark-erasing'

/**
 * Erases the account that an earlier page did not finish erasing, unless that account has signed in again. If this hangs, the
 * next page tries again.
 */
export async function finishErasing(findRememberedAccount: () => string | undefined): Promise<void> {
  if (readToErase() === undefined) return
  const erasing = oneAtATime(async () => {
    const account = readToErase()
    if (account === undefined) return
    if (account === findRememberedAccount()) storeToErase(undefined)
    else await erase(account)
  })
  await atMost3Seconds(erasing)
}

async function erase(account: string): Promise<boolean> {
  try {
    await eraseAccount(account)
    // By now another account may have been marked to be erased.
    if (readToErase() === account) storeToErase(undefined)
    return true
  } catch (error) {
    console.warn('The account could not be removed from this device', error)
    return false
  }
}

function readToErase(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

function storeToErase(account: string | undefined): void {
  try {
    if (account === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, account)
  } catch {
    // A browser that stores nothing has nothing to erase.
  }
}

/**
 * Replaces the cached picture. The server tells the browser to clear its cache, but browsers obey over https and on localhost
 * only. Elsewhere, the error that a signed-out person gets replaces the picture.
 */
async function evictPictureFromCache({ image }: Pick<User, 'image'>): Promise<void> {
  if (window.isSecureContext || !image) return
  const timeout = AbortSignal.timeout(3_000)
  await fetch(image, { cache: 'reload', signal: timeout }).catch((error) =>
    console.warn('The picture could not be taken from the cache', error),
  )
}

async function unsubscribe(): Promise<void> {
  await unsubscribeFromPushes().catch((error) => console.warn('The browser could not be unsubscribed', error))
}
