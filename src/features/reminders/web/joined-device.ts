import * as z from 'zod/mini'
import type { Kept } from '#platform/sync/kept.ts'
import { storedChoice } from '#platform/ui/stored-choice.ts'
import type { Subscription } from '../reminder.ts'
import type { Reach } from './this-browser.ts'

const joinedSchema = z.object({ id: z.string(), endpoint: z.string(), signIn: z.string() })

/** As what the server was told of this browser: under which id, and in which sign-in session, with which it ends. */
export type Joined = z.infer<typeof joinedSchema>

/** Null where the server was not told of it, or where it was taken back. */
export const keptJoined: Kept<Joined | null> = {
  name: 'reminders-device',
  parse: (stored) => z.catch(z.nullable(joinedSchema), null).parse(stored),
}

/**
 * What the person said on this device: nothing yet, to be reminded here, or not. It outlives their sign-in session, and
 * says nothing of whoever else signs in on this browser.
 */
export function wishOf(account: string) {
  return storedChoice(`daymark-reminders-here-${account}`, ['open', 'wanted', 'declined'])
}

type Wish = ReturnType<ReturnType<typeof wishOf>['read']>

/**
 * Whether the server has to be told of this browser anew: it was not told in this sign-in session, or the browser's
 * subscription is another by now, or lost. What was removed from another device in the same session stays removed.
 */
export function hasToJoin({
  reach,
  wish,
  joined,
  subscription,
  signIn,
}: {
  reach: Reach
  wish: Wish
  joined: Joined | null
  subscription: Subscription | undefined
  signIn: string
}): boolean {
  if (reach !== 'allowed' || wish !== 'wanted') return false
  return joined?.signIn !== signIn || joined.endpoint !== subscription?.endpoint
}
