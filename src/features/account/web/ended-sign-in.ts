import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { User } from '../account.ts'
import { type Ending, endingSchema } from '../ending.ts'

/** A sign-in that has ended on this device without anybody asking for it here. */
export interface EndedSignIn {
  /** Undefined where the server did not say. */
  why?: Ending | undefined
  at: Instant
  /** Whose it was, and whose unsent changes may be kept; nothing is kept of an account that was deleted. */
  account?: { id: string; email: string } | undefined
}

const key = 'daymark-ended'
const schema = z.object({
  why: z.optional(endingSchema),
  at: z.number(),
  account: z.optional(z.object({ id: z.string(), email: z.string() })),
})

export function endedSignIn(): EndedSignIn | undefined {
  try {
    return schema.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Another tab was told that it ended and not why: the cookie that says why is gone with the first answer. */
export function unexplainedEnd(): EndedSignIn['account'] {
  const ended = endedSignIn()
  return ended?.why ? undefined : ended?.account
}

export function keepEndedSignIn(
  { id, email }: Pick<User, 'id' | 'email'>,
  why: Ending | undefined,
  at: Instant,
): void {
  write(why === 'account-deleted' ? { why, at } : { why, at, account: { id, email } })
}

/** Somebody has signed in: why another sign-in ended is over, but what is kept of that account still is. */
export function settleEndedSignIn(signedIn: string): void {
  const ended = endedSignIn()
  if (!ended) return
  const { account } = ended
  if (account && account.id !== signedIn) write({ at: 0, account })
  else write(undefined)
}

/** Nothing of the account is to stay on this device. */
export function forgetEndedSignIn(id: string): void {
  if (endedSignIn()?.account?.id === id) write(undefined)
}

function write(ended: EndedSignIn | undefined): void {
  try {
    if (ended) localStorage.setItem(key, JSON.stringify(ended))
    else localStorage.removeItem(key)
  } catch {
    // A browser that keeps nothing has nothing to tell of it either.
  }
}
