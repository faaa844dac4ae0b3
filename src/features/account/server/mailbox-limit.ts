import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { countCall } from '#platform/http/rate-limit-store.ts'
import type { Auth } from './auth.ts'
import { emailKey } from './email-key.ts'

export type MailKind = 'password-reset' | 'address-check' | 'sign-up'

/** Whether one more mail of a kind may go to an address; counted whether it has an account or not. */
export type MailboxLimit = (kind: MailKind, email: string) => Promise<boolean>

// The links for a new password work for an hour as well: whoever is sent no more has three that work, so that asking for
// somebody else keeps nobody out. Each kind by itself, so that sign-ups of strangers do not use up a forgotten password's.
const inAnHour = { max: 3, seconds: 60 * 60 }

export function mailboxLimit(database: Database, auth: Auth, now: () => Instant): MailboxLimit {
  return async (kind, email) => {
    const limit = { name: `mailbox-${kind}`, ...inAnHour }
    return (await countCall(database, limit, await emailKey(auth, email), now())) === 0
  }
}
