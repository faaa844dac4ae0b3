import { AsyncLocalStorage } from 'node:async_hooks'
import type { SignedIn } from './context.ts'

const running = new AsyncLocalStorage<SignedIn>()

/** Handles a request of this person. */
export function handlingFor<T>(signedIn: SignedIn, handle: () => T): T {
  return running.run(signedIn, handle)
}

/** What was found out about a user when the request that is being handled was let in; undefined if it is not theirs. */
export function letInAs(user: string): SignedIn | undefined {
  const signedIn = running.getStore()
  return signedIn?.user === user ? signedIn : undefined
}

/** Lets the rest of the request read again what was read along when it was let in: it is about to change. */
export function forgetFound(user: string): void {
  const signedIn = letInAs(user)
  if (signedIn) signedIn.found = undefined
}
