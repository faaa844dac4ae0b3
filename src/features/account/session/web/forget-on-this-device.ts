import { closeNotifications, unsubscribeFromPushes } from '#platform/browser/device/notifications.ts'
import { eraseAccount } from '#platform/sync/account/sign-out.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { User } from '../user.ts'
import { forgetEndedSignIn } from './ended-sign-in.ts'
import { oneAtATime } from './pending-sign-out.ts'
import { forgetAccount } from './stored-account.ts'

/** Removes everything of the account from this device, in every tab. Never rejects: reports what could not be removed. */
export async function forgetOnThisDevice(user: Pick<User, 'id' | 'image'>): Promise<void> {
  await eraseFromThisDevice(user)
  await forgetBesideData(user)
}

/** What it did and what waits to be sent, and the notifications that tell of it. */
export async function eraseFromThisDevice({ id }: Pick<User, 'id'>): Promise<void> {
  forgetAccount()
  storeToErase(id)
  forgetEndedSignIn(id)
  const [erased] = await Promise.all([erase(id), atMost3Seconds(closeNotifications())])
  if (!erased) toast.error('Failed to remove your data from this device')
}

/** Its picture, and that it gets notifications here. */
export async function forgetBesideData(user: Pick<User, 'image'>): Promise<void> {
  await evictPictureFromCache(user)
  // Does not wait for an unresponsive push service: the server forgot this browser along with the sign-in session.
  await atMost3Seconds(unsubscribe())
}

/** Whatever hangs, a store or a push service, keeps nobody waiting for longer. */
async function atMost3Seconds(work: Promise<void>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 3_000))])
}

// A page may be closed or loaded again before it has erased an account: by then nobody else would know of it.
const key = 'daymark-erasing'

/** Erases what an earlier page has not, unless that account has signed in again. Whatever hangs is left to the next try. */
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
    // Meanwhile another account may have to be erased, too.
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
 * The server tells the browser to clear its cache, which browsers only obey over https and on localhost. Elsewhere, the
 * refusal that a signed-out person gets replaces the cached picture.
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
