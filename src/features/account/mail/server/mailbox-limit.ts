import type { Auth } from '#features/account/session/server/better-auth.ts'
import { emailKey } from '#features/account/sign-in/server/email-key.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { countCall } from '#platform/http/guards/rate-limit-store.ts'

export type MailKind = 'password-reset' | 'address-check' | 'sign-up'

/** Whether one more mail of this kind may go to the address. Counts requests whether or not the address has an account. */
export type MailboxLimit = (kind: MailKind, email: string) => Promise<boolean>

// Password links are valid for an hour, too. If a stranger uses up somebody's limit, that person still has three working links,
// so nobody is locked out. Each kind of mail has its own count, so that strangers' sign-ups do not use up password resets.
const inAnHour = { max: 3, seconds: 60 * 60 }

export function mailboxLimit(database: Database, auth: Auth, now: () => Instant): MailboxLimit {
  return async (kind, email) => {
    const limit = { name: `mailbox-${kind}`, ...inAnHour }
    return (await countCall(database, limit, await emailKey(auth, email), now())) === 0
  }
}
