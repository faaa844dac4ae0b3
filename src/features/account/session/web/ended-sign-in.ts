import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import { type SessionEnd, sessionEndSchema } from '../session-end.ts'
import type { User } from '../user.ts'

/** A session that ended on this device although nobody asked for it here. */
export interface EndedSignIn {
  /** Why the session ended; undefined if the server did not say. */
  why?: SessionEnd | undefined
  at: Instant
  /**
   * The account that was signed in. Its unsent changes may still be stored here. Undefined for a deleted account, which leaves
   * nothing.
   */
  account?: { id: string; email: string } | undefined
}

const key = 'daymark-ended'
const schema = z.object({
  why: z.optional(sessionEndSchema),
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

/**
 * The account whose session ended, if the tab that noticed the end did not learn the reason. Only one response tells the reason,
 * because that response also removes the session cookie.
 */
export function unexplainedEnd(): EndedSignIn['account'] {
  const ended = endedSignIn()
  return ended?.why ? undefined : ended?.account
}

export function storeEndedSignIn(
  { id, email }: Pick<User, 'id' | 'email'>,
  why: SessionEnd | undefined,
  at: Instant,
): void {
  write(why === 'account-deleted' ? { why, at } : { why, at, account: { id, email } })
}

/** After a sign-in nobody needs the explanation any more. Another account with stored changes is still remembered. */
export function settleEndedSignIn(signedIn: string): void {
  const ended = endedSignIn()
  if (!ended) return
  const { account } = ended
  if (account && account.id !== signedIn) write({ at: 0, account })
  else write(undefined)
}

/** Removes what is stored about the account's ended session, because nothing of the account may stay on this device. */
export function forgetEndedSignIn(id: string): void {
  if (endedSignIn()?.account?.id === id) write(undefined)
}

function write(ended: EndedSignIn | undefined): void {
  try {
    if (ended) localStorage.setItem(key, JSON.stringify(ended))
    else localStorage.removeItem(key)
  } catch {
    // The browser stores nothing, so there is nothing to remember or to remove.
  }
}
