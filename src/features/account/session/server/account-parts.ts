import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import type { Auth } from './better-auth.ts'

/** What the account endpoints depend on. */
export interface AccountParts {
  auth: Auth
  database: Database
  signUp: 'open' | 'closed'
  /** Whether wrong passwords slow down further guesses, and the mail to one mailbox is limited. */
  rateLimit: boolean
  addressOf(c: HttpContext): string
  /** Called when the user has signed out on the last of their devices. Never rejects. */
  onSignedOutEverywhere(user: string): Promise<void>
  now(): Instant
}
